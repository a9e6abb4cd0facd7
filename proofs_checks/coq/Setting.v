(** * The setting: programs, probability, cost and regret; instances; what the paper leaves free

    This is the first of the three files that a reader must check ([Setting], [Algorithms],
    [Statements]); proofs are in the other files.  The comment before a definition gives the paper's
    version (_Paper:_) and the differences (_Here:_).

    Coq in brief: [Definition x (a : A) : B := e] names [e], a function of [a]; a [Fixpoint] calls
    itself; an [Inductive] type lists the forms of its values; a [Record] has named fields; a [Class] is
    a record that is passed implicitly; [R] are the real numbers, [nat] the natural numbers (with [O]
    and [S n] for 0 and n + 1), [INR] converts a natural number to a real one, [ln] is the natural
    logarithm, [/ x] the inverse; [option A] is a value [Some a] or [None]; [Prop] is a proposition. *)
From Coq Require Import Reals List Permutation.
Import ListNotations.
Open Scope R_scope.

(** ** Programs

    An algorithm is a finite decision tree.  It returns an answer, or asks about an ordered pair of
    arms; how it continues depends on whether the first arm won.  A question has a tag: the confidence
    level for a whole match, nothing (type [unit]) for a single duel. Probability, expectation and cost
    are computed by recursion on the tree, so that no measure theory is needed.  A program that answers
    [None] ran out of its horizon.

    _Paper:_ a learner that at each round selects an ordered pair and observes whether the first arm wins.
    _Here:_ every run of a program is finite.  An endless policy is a family of programs, see "Rounds of
    an endless policy" below.  The part of a run after a history is a subtree, which is itself a
    program with independent outcomes.  So a theorem about every program, incumbent and starting arm
    also holds given every history. *)
(** _Paper:_ arms 1, ..., N.  _Here:_ the numbers 0, ..., N-1. *)
Definition arm := nat.

Inductive program (tag A : Type) : Type :=
| Ret (a : A)
| Ask (t : tag) (u v : arm) (k : bool -> program tag A).
Arguments Ret {tag A}. Arguments Ask {tag A}.

(** A program that asks for duels, one at a time. *)
Notation prog := (program unit).
Notation Duel := (Ask tt).

Fixpoint bind {tag A B} (m : program tag A) (f : A -> program tag B) : program tag B :=
  match m with
  | Ret a => f a
  | Ask t u v k => Ask t u v (fun b => bind (k b) f)
  end.

(** Sequencing of programs that may run out: [None] ends everything. *)
Definition obind {tag A B} (m : program tag (option A)) (f : A -> program tag (option B)) : program tag (option B) :=
  bind m (fun o => match o with None => Ret None | Some a => f a end).

(** Events and conditions on an answer. *)
Definition is_arm (x : arm) (o : option arm) : bool := match o with Some y => Nat.eqb y x | None => false end.
Definition wrong (w : arm) (o : option arm) : bool := match o with None => false | Some x => negb (Nat.eqb x w) end.
Definition one_of (u v : arm) (o : option arm) : Prop := match o with None => True | Some x => x = u \/ x = v end.
Definition ran_out {A} (o : option A) : bool := match o with None => true | Some _ => false end.

(** ** Probability, cost and regret

    _Paper:_ the outcome of a duel (i, j) is Bernoulli(p_ij), independent of all else. *)
Section Model.
(** [P u v] is the probability that [u] wins a duel against [v]; duels are independent. *)
Variable P : arm -> arm -> R.

(** Expectation of a function of the answer. *)
Fixpoint expect {tag A} (m : program tag A) (f : A -> R) : R :=
  match m with
  | Ret a => f a
  | Ask _ u v k => P u v * expect (k true) f + (1 - P u v) * expect (k false) f
  end.

(** Probability of an event on the answer. *)
Definition Pr {tag A} (m : program tag A) (ev : A -> bool) : R := expect m (fun a => if ev a then 1 else 0).

(** Expected number of questions: of duels, when the program asks for duels. *)
Fixpoint ET {tag A} (m : program tag A) : R :=
  match m with
  | Ret _ => 0
  | Ask _ u v k => 1 + (P u v * ET (k true) + (1 - P u v) * ET (k false))
  end.

(** Expected regret: expected number of questions that incur one unit of it. *)
Variable regretful : arm -> arm -> bool.
Fixpoint expected_regret {tag A} (m : program tag A) : R :=
  match m with
  | Ret _ => 0
  | Ask _ u v k => (if regretful u v then 1 else 0) +
                   (P u v * expected_regret (k true) + (1 - P u v) * expected_regret (k false))
  end.
End Model.

(** _Paper:_ r_weak = 1{i <> a*, j <> a*}, and r_str = 1 - 1{i = a*, j = a*}. *)
(** A duel costs weak regret unless the winner [w] takes part, and strong regret unless [w] duels
    itself. *)
Definition weak_regretful (w u v : arm) : bool := negb (Nat.eqb u w || Nat.eqb v w).
Definition strong_regretful (w u v : arm) : bool := negb (Nat.eqb u w && Nat.eqb v w).

(** Worst-case number of questions, over all outcomes. *)
Fixpoint maxT {tag A} (m : program tag A) : nat :=
  match m with
  | Ret _ => 0%nat
  | Ask _ u v k => S (Nat.max (maxT (k true)) (maxT (k false)))
  end.

(** Every possible answer satisfies [ok]. *)
Fixpoint leaves {tag A} (ok : A -> Prop) (m : program tag A) : Prop :=
  match m with Ret a => ok a | Ask _ _ _ k => leaves ok (k true) /\ leaves ok (k false) end.

(** [m'] behaves as [m] does, and may continue where [m] runs out. *)
Inductive refines {tag A} : program tag (option A) -> program tag (option A) -> Prop :=
| refines_none m : refines (Ret None) m
| refines_ret o : refines (Ret o) (Ret o)
| refines_ask t u v k k' : (forall b, refines (k b) (k' b)) -> refines (Ask t u v k) (Ask t u v k').

(** ** Instances *)

(** The properties of every preference matrix; 1/2 on the diagonal follows. (The paper also requires
    entries strictly between 0 and 1, which is not needed.) *)
Definition valid (P : arm -> arm -> R) : Prop :=
  (forall u v, 0 <= P u v <= 1) /\ (forall u v, P v u = 1 - P u v).

(** _Paper:_ (known gap) g <= Delta* = min over j of p_{a*,j} - 1/2.  _Here:_ [gap] is any such g.  Of
    the other entries only [valid] is required, so they may be ties. *)
(** [w], one of the arms 0..N-1, beats every other by at least [gap] (the Condorcet gap). *)
Record condorcet (P : arm -> arm -> R) (N : nat) (w : arm) (gap : R) : Prop := {
  c_01 : forall u v, 0 <= P u v <= 1;
  c_anti : forall u v, P v u = 1 - P u v;
  c_in : (w < N)%nat;
  c_win : forall j, (j < N)%nat -> j <> w -> 1/2 + gap <= P w j }.

(** _Paper:_ some a* has p_{a*,j} > 1/2 for every other j, and Delta, the least |p_ij - 1/2| over i <>
    j, is positive.  _Here:_ [w] is a*, and [g] is any number with 0 < g <= Delta.  The paper's case is
    g = Delta, which is at most 1/2.  Entries may also be 0 or 1. *)
(** assump:condorcet-gap, with any positive lower bound [g] of the global gap in the place of Delta. *)
Record assump_condorcet_gap (P : arm -> arm -> R) (N : nat) (w : arm) (g : R) : Prop := {
  a_N : (2 <= N)%nat;
  a_gap : 0 < g <= 1/2;
  a_valid : valid P;
  a_in : (w < N)%nat;
  a_win : forall j, (j < N)%nat -> j <> w -> 1/2 < P w j;
  a_global : forall u v, (u < N)%nat -> (v < N)%nat -> u <> v -> g <= Rabs (P u v - 1/2) }.

(** ** What the paper leaves free *)

(** _Paper:_ "a fixed deterministic order", "one arm receives a bye", "in a fixed order".  _Here:_ every
    theorem holds for every choice of orders.  An order is any permutation of its arms, and may depend
    on the round, the survivors and the entrants.  The tree is any placement of the arms on distinct
    leaves; the other leaves are byes. *)
Class conventions := {
  pairing : list arm -> nat -> list arm -> list arm;
      (* entrants, round, survivors -> the order in which neighbours meet; an odd last one has the bye *)
  pairing_perm : forall entrants r X, Permutation (pairing entrants r X) X;
  candidates : arm -> list arm -> list arm; (* incumbent, beaters -> entrants of the replacement tournament *)
  candidates_perm : forall c B, Permutation (candidates c B) (c :: B);
  screening : list arm -> list arm;         (* challengers in the order in which they are screened *)
  screening_perm : forall X, Permutation (screening X) X;
  leaf : arm -> nat;                        (* where an arm stands *)
  leaf_inj : forall i j, leaf i = leaf j -> i = j }.

(** Neighbours in the given order meet; the incumbent comes first; arm k stands at leaf k, so that the
    byes come last. *)
#[local, refine] Instance standard : conventions := {|
  pairing := fun _ _ X => X; candidates := cons; screening := fun X => X; leaf := fun i => i |}.
Proof. all: auto. Defined.

(** _Paper:_ N arms on M = 2^L leaves, L = ceil(log2 N); leaves without an arm are formal byes.
    _Here:_ the arms stand on any N different leaves; the paper's tree is a special case. *)
(** The [N] arms stand on a balanced binary tree of height [L] = ceil(log2 N) >= 1. *)
Record balanced_tree {cv : conventions} (N L : nat) : Prop := {
  t_L : (1 <= L)%nat;
  t_fit : (N <= 2 ^ L)%nat;
  t_tight : (2 ^ (L - 1) < N)%nat;
  t_leaf : forall i, (i < N)%nat -> (leaf i < 2 ^ L)%nat }.

(** ** Rounds of an endless policy

    _Paper:_ R_T sums the regret of the rounds 1 to T of a policy that goes on for ever, and R_oo is its limit.
    _Here:_ a policy is a family of programs [run F k], with horizon [F] for each test and [k] epochs or
    phases.  For all F and k of at least T, the first T rounds are the same ([agree]) and are played
    ([plays]).  They are the first T rounds of the endless policy, and their [regret_until T] is
    E[R_T]. *)

Definition ind (b : bool) : R := if b then 1 else 0.

(** The first [T] rounds of a run. *)
Fixpoint first_rounds {A} (T : nat) (m : prog A) : prog unit :=
  match T, m with
  | S T', Ask _ u v k => Duel u v (fun b => first_rounds T' (k b))
  | _, _ => Ret tt
  end.

(** Within the first [T] rounds two programs ask for the same duels and stop with the same answer. *)
Fixpoint agree {A} (T : nat) (m m' : prog A) : Prop :=
  match T with
  | O => True
  | S T' => match m, m' with
            | Ret a, Ret a' => a = a'
            | Ask _ u v k, Ask _ u' v' k' => u = u' /\ v = v' /\ forall b, agree T' (k b) (k' b)
            | _, _ => False
            end
  end.

(** Every run lasts for at least [T] rounds. *)
Fixpoint plays {A} (T : nat) (m : prog A) : Prop :=
  match T with
  | O => True
  | S T' => match m with Ret _ => False | Ask _ _ _ k => forall b, plays T' (k b) end
  end.

Section Regret.
(** Whether a duel costs a unit of regret. *)
Variable P : arm -> arm -> R.
Variable regretful : arm -> arm -> bool.

(** E[R_T] *)
Definition regret_until {A} (T : nat) (m : prog A) : R := expected_regret P regretful (first_rounds T m).

(** The probability that the regret of a run is at least [n]. *)
Fixpoint regret_at_least {A} (m : prog A) (n : nat) : R :=
  match m with
  | Ret _ => ind (Nat.eqb n 0)
  | Ask _ u v k =>
      let n' := if regretful u v then Nat.pred n else n in
      P u v * regret_at_least (k true) n' + (1 - P u v) * regret_at_least (k false) n'
  end.
End Regret.
