(** * Paths: the policies run with whole matches as questions, along given replies

    [follow] goes through a program along replies and lists what is asked.  The lists are compared with
    those of the Python functions; that they speak for the theorems is proved: the policy with any
    test is the policy that is followed here, every match played by that test ([play_Weak] and its like). *)
From Coq Require Import FunctionalExtensionality.
From Coq Require Import Reals Lia ZArith QArith List.
Import ListNotations.
From TGITE Require Import Setting Algorithms Program DuelTest BKT TreeAscent ScreenAndReplace Trees Logarithms
  ExecutedTests Executed.

Definition play_Weak_statement : Prop :=
  forall (cv : conventions) (test : R -> arm -> arm -> prog (option arm)) N L eps k b,
  (forall d u v, leaves (one_of u v) (test d u v)) -> balanced_tree N L -> (b < N)%nat ->
  TG_ITE_Weak test N L (value eps) k b = play (fun l => test (value l)) (TG_ITE_Weak ask N L eps k b).
Definition play_KnownHorizon_statement : Prop :=
  forall (cv : conventions) (test : R -> arm -> arm -> prog (option arm)) N L H b,
  (forall d u v, leaves (one_of u v) (test d u v)) -> balanced_tree N L -> (b < N)%nat ->
  TG_ITE_Strong_KnownHorizon test N L H b = play (fun l => test (value l)) (TG_ITE_Strong_KnownHorizon ask N L H b).
Definition play_Anytime_statement : Prop :=
  forall (cv : conventions) (test : R -> arm -> arm -> prog (option arm)) N L k b,
  (forall d u v, leaves (one_of u v) (test d u v)) -> balanced_tree N L -> (b < N)%nat ->
  TG_ITE_Strong_Anytime test N L k b = play (fun l => test (value l)) (TG_ITE_Strong_Anytime ask N L k b).

(** ** Following *)

Inductive event :=
| Tried (g : Q)                              (* the gap that the next match is told, in find-then-certify *)
| Asked (l : exact) (u v : arm)              (* a whole match *)
| Rested (c : arm) (rounds : N)              (* self-play *)
| Dueled (u v : arm) (times : N)             (* so many duels of a pair *)
| Won (l : exact) (w : arm)                  (* a match played duel by duel is over *)
| Answered (o : option arm)                  (* [None]: the horizon expired before there was an answer *)
| Cut.                                       (* no round, or no reply, is left *)

(** A match counts as one round; [true]: its first arm wins. *)
Fixpoint follow (m : program asked (option arm)) (replies : list bool) (rounds : N) : list event :=
  match m with
  | Ret None => [Cut]
  | Ret (Some a) => [Answered (Some a)]
  | Ask (Match l) u v k =>
      match rounds, replies with
      | N0, _ | _, [] => [Cut]
      | _, b :: replies' => Asked l u v :: follow (k b) replies' (N.pred rounds)
      end
  | Ask (Block n) c _ k =>
      let played := N.min n rounds in
      let later := follow (k true) replies (rounds - played) in
      if (played =? 0)%N then later else Rested c played :: later
  end.

(** The same, duel by duel, for what is executed ([Executed.start]). *)
Fixpoint follow_duels (m : program question (option (option arm))) (replies : list bool) : list event :=
  match m with
  | Ret None => [Cut]
  | Ret (Some o) => [Answered o]
  | Ask Single u v k =>
      match replies with
      | [] => [Cut]
      | b :: replies' =>
          match follow_duels (k b) replies' with
          | Dueled u' v' n :: later =>
              if (u =? u')%nat && (v =? v')%nat then Dueled u v (N.succ n) :: later
              else Dueled u v 1 :: Dueled u' v' n :: later
          | later => Dueled u v 1 :: later
          end
      end
  | Ask (Rounds n) c _ k => Rested c n :: follow_duels (k true) replies
  | Ask (Over l w) _ _ k => Won l w :: follow_duels (k true) replies
  end.
Definition follow_request (ch : choices) (t : chosen_test) (fuel : nat) (a : algorithm) (replies : list bool)
  : list event :=
  match start (constants_at (2 ^ 64)) fuel ch t a with None => [] | Some m => follow_duels m replies end.

(** ** As numbers, to be printed

    A pair is [4096 u + v].  Before what has a level stands that level, where it is another than the last. *)
Definition same (l l' : exact) : bool :=
  (Qnum (rational l) =? Qnum (rational l'))%Z && (Qden (rational l) =? Qden (rational l'))%positive
  && (basel l =? basel l')%nat.
Definition pair (u v : arm) : Z := (4096 * Z.of_nat u + Z.of_nat v)%Z.
Definition at_level (before : option exact) (l : exact) (numbers : list Z) : list Z :=
  if match before with Some l' => same l l' | None => false end then numbers
  else (-1)%Z :: Qnum (rational l) :: Zpos (Qden (rational l)) :: Z.of_nat (basel l) :: numbers.
Fixpoint written (events : list event) (before : option exact) : list Z :=
  match events with
  | [] => []
  | Tried g :: rest => (-9)%Z :: Qnum g :: Zpos (Qden g) :: written rest before
  | Asked l u v :: rest => at_level before l (pair u v :: written rest (Some l))
  | Won l w :: rest => at_level before l ((-2)%Z :: Z.of_nat w :: written rest (Some l))
  | Dueled u v n :: rest => (-3)%Z :: pair u v :: Z.of_N n :: written rest before
  | Rested c rounds :: rest => (-4)%Z :: Z.of_nat c :: Z.of_N rounds :: written rest before
  | Answered (Some a) :: rest => (-5)%Z :: Z.of_nat a :: written rest before
  | Answered None :: rest => (-6)%Z :: written rest before
  | Cut :: rest => (-7)%Z :: written rest before
  end.

(** Replies, from the last binary digit on; the first digit is no reply. *)
Fixpoint replies (p : positive) : list bool :=
  match p with xH => [] | xO gap_den => false :: replies gap_den | xI gap_den => true :: replies gap_den end.

(** * Proofs *)

Section Policies.
Context {cv : conventions}.
Variable test : R -> arm -> arm -> prog (option arm).
Hypothesis test_leaves : forall d u v, leaves (one_of u v) (test d u v).
Variables N L : nat.
Hypothesis HB : balanced_tree N L.
Let played A := @play A (fun l => test (value l)).

Lemma pass_played b l : (b < N)%nat -> TG_ITE_BAI test N L b (value l) = played _ (TG_ITE_BAI ask N L b l).
Proof. intro Hb. now apply play_TreeAscent. Qed.

Lemma epochs_played k : forall s c, (c < N)%nat -> epochs test N k s c = played _ (epochs ask N k s c).
Proof.
  induction k as [|k IH]; intros s c Hc; [reflexivity|]. cbn [epochs]. rewrite <- value_epoch. unfold played.
  rewrite play_obind, <- play_ScreenReplace by auto.
  eapply obind_ext; [now apply ScreenReplace_range|]. intros a Ha. now apply IH.
Qed.

Lemma phases_played k : forall s c, (c < N)%nat -> phases test N L k s c = played _ (phases ask N L k s c).
Proof.
  induction k as [|k IH]; intros s c Hc; [reflexivity|]. cbn [phases]. rewrite <- value_phase. unfold played.
  rewrite play_obind. fold (@played arm). rewrite <- pass_played by auto.
  eapply obind_ext; [now apply TreeAscent_range|]. intros a Ha.
  unfold plays_itself, self_play_by_duels, self_play_asked, played. cbn [play]. f_equal. now apply IH.
Qed.
End Policies.

Theorem play_Weak : play_Weak_statement.
Proof.
  intros cv test N L eps k b TL HB Hb. unfold TG_ITE_Weak. rewrite play_obind, <- pass_played by auto.
  eapply obind_ext; [now apply TreeAscent_range|]. intros a Ha. now apply epochs_played.
Qed.

Theorem play_KnownHorizon : play_KnownHorizon_statement.
Proof.
  intros cv test N L H b TL HB Hb. unfold TG_ITE_Strong_KnownHorizon.
  rewrite play_obind, <- value_horizon, <- pass_played by auto.
  eapply obind_ext; [now apply TreeAscent_range|]. reflexivity.
Qed.

Theorem play_Anytime : play_Anytime_statement.
Proof. intros cv test N L k b TL HB Hb. now apply phases_played. Qed.
