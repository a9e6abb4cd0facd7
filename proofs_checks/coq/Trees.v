(** * Exact levels, and whole matches as questions

    The algorithms of this development are generic in the pairwise test, in the type of levels and in what
    they ask for.  With the test [ask], which asks for the whole match, and exact levels, they can be run
    ([Paths]).  That what is run is what the theorems speak of is proved here and there: replacing every
    match by a test ([play]) gives back the algorithm with that test ([play_...]), and exact levels have
    the values that the theorems use ([value_...]).  [EQ], [ETQ] compute probabilities and costs in
    rationals ([EQ_correct], [ETQ_correct]). *)
From Coq Require Import FunctionalExtensionality QArith Qreals.
From Coq Require Import Reals Lra Psatz Lia Bool Arith List Permutation.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding BKT TreeAscent ScreenAndReplace.
From TGITE Require Tree.
Local Open Scope R_scope.

(** ** Exact levels: a rational, times a power of 6/pi^2 *)

Record exact := { rational : Q; basel : nat }.
Definition value (l : exact) : R := Q2R (rational l) * (6 / (PI * PI)) ^ basel l.
Definition nat_Q (n : nat) : Q := inject_Z (Z.of_nat n).
#[global] Instance exact_bkt_levels : bkt_levels exact := fun l r =>
  {| rational := Qred (rational l / (nat_Q (S r) * nat_Q (S r))); basel := S (basel l) |}.
#[global] Instance exact_tree_levels : tree_levels exact := {|
  block_level := fun l mbar M1 =>
    {| rational := Qred (rational l * (1 # 2) * (nat_Q mbar / nat_Q M1)); basel := basel l |};
  merge_level := fun l L => {| rational := Qred (rational l / (nat_Q 2 * nat_Q L)); basel := basel l |} |}.

(** ** Whole matches, and blocks of self-play, as questions *)

Inductive asked := Match (l : exact) | Block (rounds : N).
Definition ask (l : exact) (u v : arm) : program asked (option arm) :=
  Ask (Match l) u v (fun b => Ret (Some (if b then u else v))).
#[global] Instance self_play_asked : self_playing asked := fun A n c next => Ask (Block n) c c (fun _ => next).

(** Every match played by a test, every block of self-play duel by duel. *)
Fixpoint play {A} (test : exact -> arm -> arm -> prog (option arm)) (m : program asked (option A)) : prog (option A) :=
  match m with
  | Ret o => Ret o
  | Ask (Match l) u v k => obind (test l u v) (fun x => play test (k (Nat.eqb x u)))
  | Ask (Block n) c _ k => self_play (N.to_nat n) c (play test (k true))
  end.

Definition play_BKT_statement : Prop := forall (cv : conventions) (test : R -> arm -> arm -> prog (option arm)) X l,
  (forall d u v, leaves (one_of u v) (test d u v)) -> NoDup X ->
  BKT test X (value l) = play (fun l => test (value l)) (BKT ask X l).
Definition play_TreeAscent_statement : Prop :=
  forall (cv : conventions) (test : R -> arm -> arm -> prog (option arm)) N L b l,
  (forall d u v, leaves (one_of u v) (test d u v)) -> balanced_tree N L -> (b < N)%nat ->
  TreeAscent test N L b (value l) = play (fun l => test (value l)) (TreeAscent ask N L b l).
Definition play_ScreenReplace_statement : Prop :=
  forall (cv : conventions) (test : R -> arm -> arm -> prog (option arm)) N c rho kappa,
  (forall d u v, leaves (one_of u v) (test d u v)) -> (c < N)%nat ->
  ScreenReplace test N c (value rho) (value kappa)
  = play (fun l => test (value l)) (ScreenReplace ask N c rho kappa).

(** ** Probabilities and costs in rationals *)

Section Rational.
Variable P : arm -> arm -> Q.
Fixpoint EQ {T A} (m : program T A) (f : A -> Q) : Q :=
  match m with
  | Ret a => f a
  | Ask _ u v k => Qred (P u v * EQ (k true) f + (1 - P u v) * EQ (k false) f)%Q
  end.
Fixpoint ETQ {T A} (m : program T A) : Q :=
  match m with
  | Ret _ => 0%Q
  | Ask _ u v k => Qred (1 + (P u v * ETQ (k true) + (1 - P u v) * ETQ (k false)))%Q
  end.
End Rational.

Definition EQ_correct_statement : Prop := forall P T A (m : program T A) f,
  Q2R (EQ P m f) = expect (fun u v => Q2R (P u v)) m (fun a => Q2R (f a)).
Definition ETQ_correct_statement : Prop := forall P T A (m : program T A),
  Q2R (ETQ P m) = ET (fun u v => Q2R (P u v)) m.

(** ** For requests *)

(** ceil(log2 N), for N >= 2 *)
Definition height (N : nat) : nat := S (Nat.log2 (N - 1)).
Definition level (num : Z) (den : positive) : exact := {| rational := Qmake num den; basel := 0 |}.

(** The arms fit on the tree under the standard conventions. *)
Definition conventions_balanced_statement : Prop := forall N, (2 <= N)%nat -> @balanced_tree standard N (height N).

(** ** For choices of conventions *)

Fixpoint interleave (A B : list arm) : list arm :=
  match A, B with a :: A', b :: B' => a :: b :: interleave A' B' | _, _ => A ++ B end.
Definition last_first (X : list arm) : list arm := match rev X with [] => [] | x :: Y => x :: rev Y end.
Fixpoint survivors (m r : nat) : nat := match r with O => m | S r' => Nat.div2 (S (survivors m r')) end.

(** * Proofs *)

Lemma interleave_perm A : forall B, Permutation (interleave A B) (A ++ B).
Proof.
  induction A as [|a A IH]; intros [|b B]; cbn [interleave]; auto.
  cbn [app]. constructor.
  apply Permutation_trans with (b :: A ++ B); [constructor; apply IH|apply Permutation_middle].
Qed.
Lemma last_first_perm X : Permutation (last_first X) X.
Proof.
  unfold last_first. apply Permutation_trans with (rev X); [|apply Permutation_sym, Permutation_rev].
  destruct (rev X) as [|x Y]; [auto|]. constructor. apply Permutation_sym, Permutation_rev.
Qed.

Theorem conventions_balanced : conventions_balanced_statement.
Proof.
  intros N HN. unfold height. destruct (Nat.log2_spec (N - 1) ltac:(lia)) as [A B].
  constructor; rewrite ?Nat.sub_succ, ?Nat.sub_0_r; cbn [leaf standard]; lia.
Qed.

Lemma Q2R_nat n : Q2R (nat_Q n) = INR n.
Proof. unfold nat_Q, inject_Z, Q2R. cbn [Qnum Qden]. rewrite INR_IZR_INZ. field. Qed.

Lemma Q2R_red q : Q2R (Qred q) = Q2R q.
Proof. apply Qeq_eqR, Qred_correct. Qed.

Lemma Q2R_div_nat a n : n <> 0%nat -> Q2R (a / nat_Q n) = Q2R a / INR n.
Proof.
  intro Hn. rewrite Q2R_div, Q2R_nat; [reflexivity|]. intro H. apply Qeq_eqR in H. rewrite Q2R_nat in H.
  unfold Q2R in H. cbn in H. apply not_0_INR in Hn. lra.
Qed.

Lemma value_round l r : value (round_level l r) = round_level (value l) r.
Proof.
  unfold value, round_level, exact_bkt_levels, real_bkt_levels. cbn [rational basel]. rewrite Q2R_red.
  assert (Q2R (rational l / (nat_Q (S r) * nat_Q (S r))) = Q2R (rational l) / INR (S r) / INR (S r)) as ->.
  { rewrite <- !Q2R_div_nat by discriminate. apply Qeq_eqR. unfold Qdiv. rewrite Qinv_mult_distr. ring. }
  assert (INR (S r) <> 0) by (apply not_0_INR; discriminate). pose proof PI_RGT_0.
  rewrite <- tech_pow_Rmult. field. lra.
Qed.

Lemma value_block l a b : b <> 0%nat -> value (block_level l a b) = block_level (value l) a b.
Proof.
  intro Hb. unfold value, block_level, exact_tree_levels, real_tree_levels. cbn [rational basel]. rewrite Q2R_red.
  rewrite !Q2R_mult, Q2R_div_nat, Q2R_nat by auto. unfold Q2R at 2. cbn. field. now apply not_0_INR.
Qed.

Lemma value_merge l L : L <> 0%nat -> value (merge_level l L) = merge_level (value l) L.
Proof.
  intro HL. unfold value, merge_level, exact_tree_levels, real_tree_levels. cbn [rational basel]. rewrite Q2R_red.
  assert (Q2R (rational l / (nat_Q 2 * nat_Q L)) = Q2R (rational l) / INR (2 * L)) as ->.
  { rewrite <- Q2R_div_nat by lia. apply Qeq_eqR. unfold nat_Q. rewrite Nat2Z.inj_mul, inject_Z_mult. reflexivity. }
  rewrite mult_INR. simpl (INR 2). field. now apply not_0_INR.
Qed.

Section Play.
Variable test : exact -> arm -> arm -> prog (option arm).
Hypothesis test_leaves : forall l u v, leaves (one_of u v) (test l u v).

Lemma obind_ext {A B} (Q : option A -> Prop) (m : prog (option A)) (k k' : A -> prog (option B)) :
  leaves Q m -> (forall a, Q (Some a) -> k a = k' a) -> obind m k = obind m k'.
Proof.
  intros HQ H. unfold obind. induction m as [[a|]|t u v f IH]; cbn in *; auto.
  f_equal. apply functional_extensionality. intro b. apply IH. destruct b; tauto.
Qed.

Lemma obind_assoc {A B C} (m : prog (option A)) (k : A -> prog (option B)) (h : B -> prog (option C)) :
  obind (obind m k) h = obind m (fun a => obind (k a) h).
Proof.
  unfold obind. induction m as [[a|]|t u v f IH]; cbn; auto. f_equal. apply functional_extensionality, IH.
Qed.

Lemma obind_self_play {A B} n c (m : prog (option A)) (k : A -> prog (option B)) :
  obind (self_play n c m) k = self_play n c (obind m k).
Proof.
  induction n as [|n IH]; [reflexivity|]. cbn [self_play]. unfold obind at 1. cbn [bind]. f_equal.
  apply functional_extensionality. intros _. exact IH.
Qed.

Lemma play_obind {A B} (m : program asked (option A)) (k : A -> program asked (option B)) :
  play test (obind m k) = obind (play test m) (fun a => play test (k a)).
Proof.
  unfold obind at 1. induction m as [[a|]|[l|n] u v f IH]; cbn [bind play]; auto.
  - rewrite obind_assoc. f_equal. apply functional_extensionality. intro x. apply IH.
  - rewrite obind_self_play. f_equal. apply IH.
Qed.

Lemma play_ask l u v : play test (ask l u v) = test l u v.
Proof.
  unfold ask. cbn [play]. transitivity (obind (test l u v) (fun x => Ret (Some x))).
  - eapply obind_ext; [apply test_leaves|]. intros a [->| ->]; [now rewrite Nat.eqb_refl|].
    destruct (Nat.eqb_spec v u); congruence.
  - unfold obind. generalize (test l u v). intro m. induction m as [[a|]|t x y f IH]; cbn; auto.
    f_equal. apply functional_extensionality. intro b. apply IH.
Qed.

Lemma play_sequential : sequential (fun A (m : program asked (option A)) m' => m' = play test m).
Proof.
  split; [reflexivity|reflexivity|]. intros A B m m' k k' -> H. rewrite play_obind. f_equal.
  now apply functional_extensionality.
Qed.
End Play.

Section Tie.
Context {cv : conventions}.
Variable test : R -> arm -> arm -> prog (option arm).
Hypothesis test_leaves : forall d u v, leaves (one_of u v) (test d u v).
Let same (l : exact) (d : R) : Prop := d = value l.
Lemma same_round X l d : same l d -> rounds_alike same X l d.
Proof. intros -> r _. symmetry. apply value_round. Qed.
Lemma same_test l d u v : same l d -> test d u v = play (fun l => test (value l)) (ask l u v).
Proof. intros ->. symmetry. now apply play_ask. Qed.

End Tie.

Theorem play_BKT : play_BKT_statement.
Proof. intros cv test X l TL _. now apply (BKT_alike _ (play_sequential _) _ _ _ (same_test test TL)), same_round. Qed.
Theorem play_TreeAscent : play_TreeAscent_statement.
Proof.
  intros cv test N L b l TL HB _.
  apply (ascend_alike _ (play_sequential _) _ _ _ (same_test test TL)) with (H := L); [|lia]. intros h Hh _.
  pose proof (t_L _ _ HB). assert (2 ^ 1 <= 2 ^ L)%nat by (apply Nat.pow_le_mono_r; lia). simpl in *.
  split; [apply same_round|]; symmetry; [apply value_block|apply value_merge]; lia.
Qed.
Theorem play_ScreenReplace : play_ScreenReplace_statement.
Proof.
  intros cv test N c rho kappa TL _.
  now apply (ScreenReplace_alike _ (play_sequential _) _ _ _ (same_test test TL)); [|intro; apply same_round].
Qed.

Theorem EQ_correct : EQ_correct_statement.
Proof.
  intros P T A m f. induction m as [a|t u v k IH]; [reflexivity|]. cbn [EQ expect].
  rewrite Q2R_red, Q2R_plus, !Q2R_mult, Q2R_minus, RMicromega.Q2R_1, !IH. reflexivity.
Qed.

Theorem ETQ_correct : ETQ_correct_statement.
Proof.
  intros P T A m. induction m as [a|t u v k IH]; [unfold Q2R; cbn; field|]. cbn [ETQ ET].
  rewrite Q2R_red, !Q2R_plus, !Q2R_mult, Q2R_minus, RMicromega.Q2R_1, !IH. reflexivity.
Qed.
