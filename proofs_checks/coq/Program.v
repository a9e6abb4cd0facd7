(** * Programs: what an algorithm is here, and what probability and cost mean

    An algorithm is a finite decision tree: it returns an answer, or asks about an ordered pair of
    arms and goes on according to whether the first of the two won.  The tag of a question says what
    is asked: a single duel carries no tag (type [unit]), a whole match carries its confidence level.
    Probability, expectation and cost are computed by recursion on the tree, so that no measure
    theory is needed.  A program that answers [None] ran out of its horizon.

    Definitions first, then their elementary properties. *)
From Coq Require Import Reals Lra Psatz List Lia Permutation.
Import ListNotations.
Open Scope R_scope.

Definition arm := nat.

Inductive program (T A : Type) : Type :=
| Ret (a : A)
| Ask (t : T) (u v : arm) (k : bool -> program T A).
Arguments Ret {T A}. Arguments Ask {T A}.

(** A program that asks for duels, one at a time. *)
Notation prog := (program unit).
Notation Duel := (Ask tt).

Fixpoint bind {T A B} (m : program T A) (f : A -> program T B) : program T B :=
  match m with
  | Ret a => f a
  | Ask t u v k => Ask t u v (fun b => bind (k b) f)
  end.

(** Sequencing of programs that may run out: [None] ends everything. *)
Definition obind {T A B} (m : program T (option A)) (f : A -> program T (option B)) : program T (option B) :=
  bind m (fun o => match o with None => Ret None | Some a => f a end).

(** Events and conditions on an answer. *)
Definition is_arm (x : arm) (o : option arm) : bool := match o with Some y => Nat.eqb y x | None => false end.
Definition wrong (w : arm) (o : option arm) : bool := match o with None => false | Some x => negb (Nat.eqb x w) end.
Definition one_of (u v : arm) (o : option arm) : Prop := match o with None => True | Some x => x = u \/ x = v end.
Definition ran_out {A} (o : option A) : bool := match o with None => true | Some _ => false end.

Section Model.
(** [P u v] is the probability that [u] wins a duel against [v]; duels are independent. *)
Variable P : arm -> arm -> R.

(** Expectation of a function of the answer. *)
Fixpoint E {T A} (m : program T A) (f : A -> R) : R :=
  match m with
  | Ret a => f a
  | Ask _ u v k => P u v * E (k true) f + (1 - P u v) * E (k false) f
  end.

(** Probability of an event on the answer. *)
Definition Pr {T A} (m : program T A) (ev : A -> bool) : R := E m (fun a => if ev a then 1 else 0).

(** Expected number of questions: of duels, when the program asks for duels. *)
Fixpoint ET {T A} (m : program T A) : R :=
  match m with
  | Ret _ => 0
  | Ask _ u v k => 1 + (P u v * ET (k true) + (1 - P u v) * ET (k false))
  end.

(** Expected regret: expected number of questions that incur one unit of it. *)
Variable regretful : arm -> arm -> bool.
Fixpoint expected_regret {T A} (m : program T A) : R :=
  match m with
  | Ret _ => 0
  | Ask _ u v k => (if regretful u v then 1 else 0) + (P u v * expected_regret (k true) + (1 - P u v) * expected_regret (k false))
  end.
End Model.

(** Weak regret spares the duels of the winner [w], strong regret only its duels with itself. *)
Definition weak_regretful (w u v : arm) : bool := negb (Nat.eqb u w || Nat.eqb v w).
Definition strong_regretful (w u v : arm) : bool := negb (Nat.eqb u w && Nat.eqb v w).

(** Worst-case number of questions, over all outcomes. *)
Fixpoint maxT {T A} (m : program T A) : nat :=
  match m with
  | Ret _ => 0%nat
  | Ask _ u v k => S (Nat.max (maxT (k true)) (maxT (k false)))
  end.

(** Every possible answer satisfies [Q]. *)
Fixpoint leaves {T A} (Q : A -> Prop) (m : program T A) : Prop :=
  match m with Ret a => Q a | Ask _ _ _ k => leaves Q (k true) /\ leaves Q (k false) end.

(** [m'] does what [m] does, and goes on where [m] ran out. *)
Inductive refines {T A} : program T (option A) -> program T (option A) -> Prop :=
| refines_none m : refines (Ret None) m
| refines_ret o : refines (Ret o) (Ret o)
| refines_ask t u v k k' : (forall b, refines (k b) (k' b)) -> refines (Ask t u v k) (Ask t u v k').

(** ** Instances *)

(** What every preference matrix satisfies (the paper also wants entries in the open interval, and
    1/2 on the diagonal; neither is needed). *)
Definition valid (P : arm -> arm -> R) : Prop :=
  (forall u v, 0 <= P u v <= 1) /\ (forall u v, P v u = 1 - P u v).

(** [w], one of the arms 0..N-1, beats every other by at least [gap] (the Condorcet gap). *)
Record condorcet (P : arm -> arm -> R) (N : nat) (w : arm) (gap : R) : Prop := {
  c_01 : forall u v, 0 <= P u v <= 1;
  c_anti : forall u v, P v u = 1 - P u v;
  c_in : (w < N)%nat;
  c_win : forall j, (j < N)%nat -> j <> w -> 1/2 + gap <= P w j }.

(** assump:condorcet-gap, with any positive lower bound [g] of the global gap in the place of Delta. *)
Record assump_condorcet_gap (P : arm -> arm -> R) (N : nat) (w : arm) (g : R) : Prop := {
  a_N : (2 <= N)%nat;
  a_gap : 0 < g <= 1/2;
  a_valid : valid P;
  a_in : (w < N)%nat;
  a_win : forall j, (j < N)%nat -> j <> w -> 1/2 < P w j;
  a_global : forall u v, (u < N)%nat -> (v < N)%nat -> u <> v -> g <= Rabs (P u v - 1/2) }.

(** ** What the paper leaves free *)

(** Each choice is any permutation of what it is given; the tree is any placement of the arms on
    distinct leaves, the rest of which are byes. *)
Class conventions := {
  pairing : list arm -> nat -> list arm -> list arm;
      (* entrants, round, survivors -> the order in which neighbours meet; an odd last one has the bye *)
  pairing_perm : forall S r X, Permutation (pairing S r X) X;
  candidates : arm -> list arm -> list arm; (* incumbent, beaters -> entrants of the replacement tournament *)
  candidates_perm : forall c B, Permutation (candidates c B) (c :: B);
  screening : list arm -> list arm;         (* challengers in the order in which they are screened *)
  screening_perm : forall X, Permutation (screening X) X;
  leaf : arm -> nat;                        (* where an arm stands *)
  leaf_inj : forall i j, leaf i = leaf j -> i = j }.

(** Neighbours in the order given meet; the incumbent comes first; arms stand in their own order, byes last. *)
#[local, refine] Instance standard : conventions := {|
  pairing := fun _ _ X => X; candidates := cons; screening := fun X => X; leaf := fun i => i |}.
Proof. all: auto. Defined.

(** The [N] arms stand on a balanced binary tree of height [L] = ceil(log2 N) >= 1. *)
Record balanced_tree {cv : conventions} (N L : nat) : Prop := {
  t_L : (1 <= L)%nat;
  t_fit : (N <= 2 ^ L)%nat;
  t_tight : (2 ^ (L - 1) < N)%nat;
  t_leaf : forall i, (i < N)%nat -> (leaf i < 2 ^ L)%nat }.

(** * Properties *)

Lemma conv_mono p a b c d : 0 <= p <= 1 -> a <= c -> b <= d ->
  p * a + (1 - p) * b <= p * c + (1 - p) * d.
Proof. intros. apply Rplus_le_compat; apply Rmult_le_compat_l; lra. Qed.

Lemma conv_le p a b c : 0 <= p <= 1 -> a <= c -> b <= c -> p * a + (1 - p) * b <= c.
Proof. intros. replace c with (p * c + (1 - p) * c) by ring. now apply conv_mono. Qed.

Lemma conv_ge p a b c : 0 <= p <= 1 -> c <= a -> c <= b -> c <= p * a + (1 - p) * b.
Proof. intros. replace c with (p * c + (1 - p) * c) by ring. now apply conv_mono. Qed.

Section Properties.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Context {T : Type}.

Lemma E_bind {A B} (m : program T A) (k : A -> program T B) f :
  E P (bind m k) f = E P m (fun a => E P (k a) f).
Proof. induction m as [a|t u v c IH]; simpl; [reflexivity|]. now rewrite !IH. Qed.

Lemma ET_bind {A B} (m : program T A) (k : A -> program T B) :
  ET P (bind m k) = ET P m + E P m (fun a => ET P (k a)).
Proof. induction m as [a|t u v c IH]; simpl; [ring|]. rewrite !IH. ring. Qed.

Lemma ER_bind r {A B} (m : program T A) (k : A -> program T B) :
  expected_regret P r (bind m k) = expected_regret P r m + E P m (fun a => expected_regret P r (k a)).
Proof. induction m as [a|t u v c IH]; cbn [bind expected_regret E]; [ring|]. rewrite !IH. ring. Qed.

Lemma E_mono {A} (m : program T A) f g : (forall a, f a <= g a) -> E P m f <= E P m g.
Proof.
  intro H. induction m as [a|t u v c IH]; simpl; [apply H|]. now apply conv_mono.
Qed.

Lemma E_ext {A} (m : program T A) f g : (forall a, f a = g a) -> E P m f = E P m g.
Proof. intro H. induction m as [a|t u v k IH]; cbn [E]; [apply H|]. now rewrite !IH. Qed.

Lemma E_const {A} (m : program T A) c : E P m (fun _ => c) = c.
Proof. induction m as [a|t u v k IH]; simpl; [reflexivity|]. rewrite !IH. ring. Qed.

Lemma E_plus {A} (m : program T A) f g : E P m (fun a => f a + g a) = E P m f + E P m g.
Proof. induction m as [a|t u v k IH]; simpl; [reflexivity|]. rewrite !IH. ring. Qed.

Lemma E_scal {A} (m : program T A) c f : E P m (fun a => c * f a) = c * E P m f.
Proof. induction m as [a|t u v k IH]; simpl; [reflexivity|]. rewrite !IH. ring. Qed.

Lemma ET_nonneg {A} (m : program T A) : 0 <= ET P m.
Proof.
  induction m as [a|t u v k IH]; simpl; [lra|].
  pose proof (conv_ge (P u v) _ _ 0 (P01 u v) (IH true) (IH false)). lra.
Qed.

Lemma ET_le_max {A} (m : program T A) : ET P m <= INR (maxT m).
Proof.
  induction m as [a|t u v k IH]; cbn [ET maxT]; [simpl; lra|].
  rewrite S_INR. pose proof (P01 u v). pose proof (IH true). pose proof (IH false).
  assert (INR (maxT (k true)) <= INR (Nat.max (maxT (k true)) (maxT (k false)))) by (apply le_INR; lia).
  assert (INR (maxT (k false)) <= INR (Nat.max (maxT (k true)) (maxT (k false)))) by (apply le_INR; lia).
  rewrite Rplus_comm. apply Rplus_le_compat_r. apply conv_le; auto; lra.
Qed.

Lemma ER_nonneg r {A} (m : program T A) : 0 <= expected_regret P r m.
Proof.
  induction m as [a|t u v k IH]; cbn [expected_regret]; [lra|].
  pose proof (conv_ge (P u v) _ _ 0 (P01 u v) (IH true) (IH false)). destruct (r u v); lra.
Qed.

Lemma ER_le_ET r {A} (m : program T A) : expected_regret P r m <= ET P m.
Proof.
  induction m as [a|t u v k IH]; cbn [expected_regret ET]; [lra|].
  pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) (IH true) (IH false)). destruct (r u v); lra.
Qed.

Lemma Pr_nonneg {A} (m : program T A) ev : 0 <= Pr P m ev.
Proof. apply Rle_trans with (E P m (fun _ => 0)); [rewrite E_const; lra|]. apply E_mono. intro a; destruct (ev a); lra. Qed.

Lemma Pr_le1 {A} (m : program T A) ev : Pr P m ev <= 1.
Proof. apply Rle_trans with (E P m (fun _ => 1)); [|rewrite E_const; lra]. apply E_mono. intro a; destruct (ev a); lra. Qed.

Lemma Pr_total w (m : program T (option arm)) : Pr P m (is_arm w) = 1 - Pr P m (wrong w) - Pr P m ran_out.
Proof.
  unfold Pr. induction m as [o|t u v k IH]; cbn [E]; [|rewrite !IH; ring].
  destruct o as [x|]; cbn; [|lra]. destruct (Nat.eqb x w); cbn; lra.
Qed.

Lemma Pr_false {A} (m : program T A) ev : (forall a, ev a = false) -> Pr P m ev = 0.
Proof.
  intro H. unfold Pr. induction m as [a|t u v k IH]; simpl; [now rewrite H|]. rewrite !IH. ring.
Qed.

(** The union bound for sequencing. *)
Lemma Pr_obind_le {A B} (m : program T (option A)) (k : A -> program T (option B)) bad ev d :
  0 <= d ->
  (forall a, bad a = false -> Pr P (k a) ev <= d) -> ev None = false ->
  Pr P (obind m k) ev <= Pr P m (fun o => match o with Some a => bad a | None => false end) + d.
Proof.
  intros Hd H HN. unfold Pr, obind. rewrite E_bind.
  set (g := fun o : option A => if match o with Some a => bad a | None => false end then 1 else 0).
  apply Rle_trans with (E P m (fun o => g o + d)); [|rewrite E_plus, E_const; apply Rle_refl].
  apply E_mono. unfold g.
  intros [a|]; simpl.
  - destruct (bad a) eqn:Eb.
    + pose proof (Pr_le1 (k a) ev). unfold Pr in *. lra.
    + pose proof (H a Eb). unfold Pr in *. lra.
  - rewrite HN. lra.
Qed.

Lemma Pr_obind_uniform {A B} (m : program T (option A)) (k : A -> program T (option B)) ev d :
  0 <= d -> (forall a, Pr P (k a) ev <= d) -> ev None = false -> Pr P (obind m k) ev <= d.
Proof.
  intros Hd H HN. unfold Pr, obind. rewrite E_bind.
  apply Rle_trans with (E P m (fun _ => d)); [|rewrite E_const; apply Rle_refl]. apply E_mono; auto.
  intros [a|]; simpl; [apply H|rewrite HN; lra].
Qed.

Lemma E_mono_leaves {A} (Q : A -> Prop) (m : program T A) f g :
  leaves Q m -> (forall a, Q a -> f a <= g a) -> E P m f <= E P m g.
Proof.
  intros H K. induction m as [a|t u v c IH]; simpl in *; [auto|].
  destruct H. apply conv_mono; auto.
Qed.
End Properties.

Lemma leaves_bind {T A B} (Q : A -> Prop) (R : B -> Prop) (m : program T A) k :
  leaves Q m -> (forall a, Q a -> leaves R (k a)) -> leaves R (bind m k).
Proof. intros H K. induction m as [a|t u v f IH]; simpl in *; [auto|]. destruct H; split; apply IH; auto. Qed.

Lemma leaves_impl {T A} (Q R : A -> Prop) (m : program T A) : leaves Q m -> (forall a, Q a -> R a) -> leaves R m.
Proof. intros H K. induction m as [a|t u v f IH]; simpl in *; [auto|]. destruct H; split; apply IH; auto. Qed.

Lemma leaves_true {T A} (m : program T A) : leaves (fun _ => True) m.
Proof. induction m; cbn; auto. Qed.

Lemma leaves_and {T A} (Q R : A -> Prop) (m : program T A) : leaves Q m -> leaves R m -> leaves (fun a => Q a /\ R a) m.
Proof. induction m as [a|t u v k IH]; cbn; [auto|]. intros [A1 A2] [B1 B2]. split; apply IH; auto. Qed.

(** The three cost functionals add up along sequencing, for continuations bounded on reachable answers. *)
Lemma ET_obind P (P01 : forall u v, 0 <= P u v <= 1) {T} A B (Q : option A -> Prop)
    (m : program T (option A)) (k : A -> program T (option B)) c :
  0 <= c -> leaves Q m -> (forall a, Q (Some a) -> ET P (k a) <= c) -> ET P (obind m k) <= ET P m + c.
Proof.
  intros Hc HQ H. unfold obind. rewrite ET_bind. apply Rplus_le_compat_l.
  rewrite <- (E_const P m c). eapply (E_mono_leaves P P01); [exact HQ|].
  intros [a|] Ha; [auto|cbn; auto].
Qed.

Lemma maxT_obind {T} A B (Q : option A -> Prop) (m : program T (option A)) (k : A -> program T (option B)) c :
  0 <= c -> leaves Q m -> (forall a, Q (Some a) -> INR (maxT (k a)) <= c) -> INR (maxT (obind m k)) <= INR (maxT m) + c.
Proof.
  intros Hc HQ H. unfold obind. induction m as [[a|]|t u v f IH]; cbn [bind maxT leaves] in *.
  - simpl. specialize (H a HQ). lra.
  - simpl. lra.
  - destruct HQ as [H1 H2]. rewrite !S_INR.
    assert (forall x y z, INR x <= z -> INR y <= z -> INR (Nat.max x y) <= z) as MX.
    { intros x y z Hx Hy. destruct (Nat.max_spec x y) as [[_ ->]|[_ ->]]; auto. }
    specialize (IH true H1) as I1. specialize (IH false H2) as I2.
    assert (INR (maxT (f true)) <= INR (Nat.max (maxT (f true)) (maxT (f false)))) by (apply le_INR; lia).
    assert (INR (maxT (f false)) <= INR (Nat.max (maxT (f true)) (maxT (f false)))) by (apply le_INR; lia).
    match goal with |- INR (Nat.max ?x ?y) + 1 <= _ =>
      assert (INR (Nat.max x y) <= INR (Nat.max (maxT (f true)) (maxT (f false))) + c) by (apply MX; lra) end. lra.
Qed.

Lemma Pr_ran_out_obind P (P01 : forall u v, 0 <= P u v <= 1) {T} A B (Q : option A -> Prop)
    (m : program T (option A)) (k : A -> program T (option B)) c :
  0 <= c -> leaves Q m -> (forall a, Q (Some a) -> Pr P (k a) ran_out <= c) -> Pr P (obind m k) ran_out <= Pr P m ran_out + c.
Proof.
  intros Hc HQ H. unfold Pr, obind. rewrite E_bind.
  set (g := fun o : option A => if ran_out o then 1 else 0).
  apply Rle_trans with (E P m (fun o => g o + c)); [|rewrite E_plus, E_const; apply Rle_refl].
  eapply (E_mono_leaves P P01); [exact HQ|]. intros [a|] Ha; unfold g; cbn; [|lra].
  specialize (H a Ha). unfold Pr in H. lra.
Qed.

(** ** Refinement: what a longer horizon adds *)

Lemma refines_refl {T A} (m : program T (option A)) : refines m m.
Proof. induction m; constructor; auto. Qed.

Lemma refines_obind {T A B} (m m' : program T (option A)) (k k' : A -> program T (option B)) :
  refines m m' -> (forall a, refines (k a) (k' a)) -> refines (obind m k) (obind m' k').
Proof.
  intros H K. unfold obind. induction H as [m|[a|]|t u v f f' _ IH]; cbn; try constructor; auto.
Qed.

Section Refinement.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Context {T A : Type}.

Lemma refines_Pr (m m' : program T (option A)) ev : ev None = false -> refines m m' -> Pr P m ev <= Pr P m' ev.
Proof.
  intros He H. induction H as [m|o|t u v f f' _ IH].
  - pose proof (Pr_nonneg P P01 m ev). unfold Pr at 1. cbn. rewrite He. lra.
  - apply Rle_refl.
  - unfold Pr in *. cbn [E]. apply conv_mono; auto.
Qed.

Lemma refines_ET (m m' : program T (option A)) : refines m m' -> ET P m <= ET P m'.
Proof.
  intro H. induction H as [m|o|t u v f f' _ IH]; cbn [ET].
  - apply ET_nonneg; auto.
  - lra.
  - apply Rplus_le_compat_l, conv_mono; auto.
Qed.

Lemma refines_ER r (m m' : program T (option A)) : refines m m' -> expected_regret P r m <= expected_regret P r m'.
Proof.
  intro H. induction H as [m|o|t u v f f' _ IH]; cbn [expected_regret].
  - apply ER_nonneg; auto.
  - lra.
  - apply Rplus_le_compat_l, conv_mono; auto.
Qed.
End Refinement.

(** ** Instances *)

Lemma valid_01 P : valid P -> forall u v, 0 <= P u v <= 1.
Proof. now intros [H _]. Qed.

Lemma assump_condorcet P N w g : assump_condorcet_gap P N w g -> condorcet P N w g.
Proof.
  intros [HN Hg [V1 V2] Hw W G]. constructor; auto.
  intros j Hj Hjw. specialize (W j Hj Hjw). specialize (G w j Hw Hj (fun e => Hjw (eq_sym e))).
  rewrite Rabs_right in G; lra.
Qed.

Lemma condorcet_weaken P N w g g' : g' <= g -> condorcet P N w g -> condorcet P N w g'.
Proof. intros H [A B C D]. constructor; auto. intros j J1 J2. specialize (D j J1 J2). lra. Qed.
