(** * Elementary properties of programs, probabilities and costs *)
From Coq Require Import Reals Lra Psatz List Lia Permutation.
Import ListNotations.
From TGITE Require Import Setting.
Open Scope R_scope.

(** That products, quotients, roots and powers are positive, or not negative. *)
Ltac positive := first [lra | match goal with
  | |- _ > 0 => apply Rlt_gt; positive
  | |- 0 < _ * _ => apply Rmult_lt_0_compat; positive
  | |- 0 <= _ * _ => apply Rmult_le_pos; positive
  | |- 0 < / _ => apply Rinv_0_lt_compat; positive
  | |- 0 <= / _ => left; apply Rinv_0_lt_compat; positive
  | |- 0 < _ / _ => apply Rdiv_lt_0_compat; positive
  | |- 0 <= _ / _ => apply Rmult_le_pos; positive
  | |- 0 <= _ + _ => apply Rplus_le_le_0_compat; positive
  | |- 0 < INR _ => apply lt_0_INR; lia
  | |- 0 <= INR _ => apply pos_INR
  | |- 0 < IZR _ => apply IZR_lt; lia
  | |- 0 <= sqrt _ => apply sqrt_pos
  | |- 0 < sqrt _ => apply sqrt_lt_R0; positive
  | |- 0 < exp _ => apply exp_pos
  | |- 0 < _ ^ _ => apply pow_lt; positive
  | |- 0 <= _ ^ _ => apply pow_le; positive
  end].

Lemma conv_mono p a b c d : 0 <= p <= 1 -> a <= c -> b <= d ->
  p * a + (1 - p) * b <= p * c + (1 - p) * d.
Proof. intros. apply Rplus_le_compat; apply Rmult_le_compat_l; lra. Qed.

Lemma conv_le p a b c : 0 <= p <= 1 -> a <= c -> b <= c -> p * a + (1 - p) * b <= c.
Proof. intros. replace c with (p * c + (1 - p) * c) by ring. now apply conv_mono. Qed.

Lemma conv_ge p a b c : 0 <= p <= 1 -> c <= a -> c <= b -> c <= p * a + (1 - p) * b.
Proof. intros. replace c with (p * c + (1 - p) * c) by ring. now apply conv_mono. Qed.

Lemma leaves_true {T A} (m : program T A) : leaves (fun _ => True) m.
Proof. induction m; cbn; auto. Qed.

Section Properties.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Context {T : Type}.

Lemma E_bind {A B} (m : program T A) (k : A -> program T B) f :
  expect P (bind m k) f = expect P m (fun a => expect P (k a) f).
Proof. induction m as [a|t u v c IH]; simpl; [reflexivity|]. now rewrite !IH. Qed.

Lemma ET_bind {A B} (m : program T A) (k : A -> program T B) :
  ET P (bind m k) = ET P m + expect P m (fun a => ET P (k a)).
Proof. induction m as [a|t u v c IH]; simpl; [ring|]. rewrite !IH. ring. Qed.

Lemma ER_bind r {A B} (m : program T A) (k : A -> program T B) :
  expected_regret P r (bind m k) = expected_regret P r m + expect P m (fun a => expected_regret P r (k a)).
Proof. induction m as [a|t u v c IH]; cbn [bind expected_regret expect]; [ring|]. rewrite !IH. ring. Qed.

Lemma E_mono {A} (m : program T A) f g : (forall a, f a <= g a) -> expect P m f <= expect P m g.
Proof. intro H. induction m as [a|t u v c IH]; simpl; [apply H|]. now apply conv_mono. Qed.

Lemma E_ext {A} (m : program T A) f g : (forall a, f a = g a) -> expect P m f = expect P m g.
Proof. intro H. induction m as [a|t u v k IH]; cbn [expect]; [apply H|]. now rewrite !IH. Qed.

Lemma E_const {A} (m : program T A) c : expect P m (fun _ => c) = c.
Proof. induction m as [a|t u v k IH]; simpl; [reflexivity|]. rewrite !IH. ring. Qed.

Lemma E_plus {A} (m : program T A) f g : expect P m (fun a => f a + g a) = expect P m f + expect P m g.
Proof. induction m as [a|t u v k IH]; simpl; [reflexivity|]. rewrite !IH. ring. Qed.

Lemma E_scal {A} (m : program T A) c f : expect P m (fun a => c * f a) = c * expect P m f.
Proof. induction m as [a|t u v k IH]; simpl; [reflexivity|]. rewrite !IH. ring. Qed.

Lemma ET_nonneg {A} (m : program T A) : 0 <= ET P m.
Proof.
  induction m as [a|t u v k IH]; simpl; [lra|].
  pose proof (conv_ge (P u v) _ _ 0 (P01 u v) (IH true) (IH false)). lra.
Qed.

Lemma ET_le_max {A} (m : program T A) : ET P m <= INR (maxT m).
Proof.
  induction m as [a|t u v k IH]; cbn [ET maxT]; [simpl; lra|].
  rewrite S_INR. pose proof (IH true). pose proof (IH false).
  pose proof (le_INR _ _ (Nat.le_max_l (maxT (k true)) (maxT (k false)))).
  pose proof (le_INR _ _ (Nat.le_max_r (maxT (k true)) (maxT (k false)))).
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
Proof. rewrite <- (E_const m 0). apply E_mono. intro a; destruct (ev a); lra. Qed.

Lemma Pr_le1 {A} (m : program T A) ev : Pr P m ev <= 1.
Proof. rewrite <- (E_const m 1). apply E_mono. intro a; destruct (ev a); lra. Qed.

Lemma Pr_total w (m : program T (option arm)) : Pr P m (is_arm w) = 1 - Pr P m (wrong w) - Pr P m ran_out.
Proof.
  unfold Pr. induction m as [o|t u v k IH]; cbn [expect]; [|rewrite !IH; ring].
  destruct o as [x|]; cbn; [|lra]. destruct (Nat.eqb x w); cbn; lra.
Qed.

Lemma E_mono_leaves {A} (Q : A -> Prop) (m : program T A) f g :
  leaves Q m -> (forall a, Q a -> f a <= g a) -> expect P m f <= expect P m g.
Proof.
  intros H K. induction m as [a|t u v c IH]; simpl in *; [auto|].
  destruct H. apply conv_mono; auto.
Qed.

(** The union bound for sequencing: after an answer that is not [bad] the event is rare. *)
Lemma Pr_union {A B} (Q : option A -> Prop) (m : program T (option A)) (k : A -> program T (option B)) bad ev d :
  0 <= d -> leaves Q m -> (ev None = true -> bad None = true) ->
  (forall a, Q (Some a) -> bad (Some a) = false -> Pr P (k a) ev <= d) -> Pr P (obind m k) ev <= Pr P m bad + d.
Proof.
  intros Hd L N H. unfold Pr at 1, obind. rewrite E_bind.
  apply Rle_trans with (expect P m (fun o => (if bad o then 1 else 0) + d)); [|rewrite E_plus, E_const; apply Rle_refl].
  apply (E_mono_leaves Q); [exact L|]. intros [a|] Ha.
  - destruct (bad (Some a)) eqn:E; [pose proof (Pr_le1 (k a) ev)|pose proof (H a Ha E)]; unfold Pr in *; lra.
  - cbn. destruct (ev None); [rewrite N by reflexivity|destruct (bad None)]; lra.
Qed.

Lemma Pr_obind_leaves {A B} (Q : option A -> Prop) (m : program T (option A)) (k : A -> program T (option B)) ev d :
  0 <= d -> leaves Q m -> ev None = false -> (forall a, Q (Some a) -> Pr P (k a) ev <= d) -> Pr P (obind m k) ev <= d.
Proof.
  intros Hd L HN H. replace d with (Pr P m (fun _ => false) + d) by (unfold Pr; rewrite E_const; ring).
  apply (Pr_union Q); auto. now rewrite HN.
Qed.

Lemma Pr_obind_uniform {A B} (m : program T (option A)) (k : A -> program T (option B)) ev d :
  0 <= d -> (forall a, Pr P (k a) ev <= d) -> ev None = false -> Pr P (obind m k) ev <= d.
Proof. intros. apply (Pr_obind_leaves (fun _ => True)); auto using leaves_true. Qed.
End Properties.

Lemma leaves_bind {T A B} (Q : A -> Prop) (R : B -> Prop) (m : program T A) k :
  leaves Q m -> (forall a, Q a -> leaves R (k a)) -> leaves R (bind m k).
Proof. intros H K. induction m as [a|t u v f IH]; simpl in *; [auto|]. destruct H; split; apply IH; auto. Qed.

Lemma leaves_impl {T A} (Q R : A -> Prop) (m : program T A) : leaves Q m -> (forall a, Q a -> R a) -> leaves R m.
Proof. intros H K. induction m as [a|t u v f IH]; simpl in *; [auto|]. destruct H; split; apply IH; auto. Qed.

Lemma leaves_and {T A} (Q R : A -> Prop) (m : program T A) : leaves Q m -> leaves R m -> leaves (fun a => Q a /\ R a) m.
Proof. induction m as [a|t u v k IH]; cbn; [auto|]. intros [A1 A2] [B1 B2]. split; apply IH; auto. Qed.

Lemma ET_obind P (P01 : forall u v, 0 <= P u v <= 1) {T} A B (Q : option A -> Prop)
    (m : program T (option A)) (k : A -> program T (option B)) c :
  0 <= c -> leaves Q m -> (forall a, Q (Some a) -> ET P (k a) <= c) -> ET P (obind m k) <= ET P m + c.
Proof.
  intros Hc HQ H. unfold obind. rewrite ET_bind. apply Rplus_le_compat_l.
  rewrite <- (E_const P m c). eapply (E_mono_leaves P P01); [exact HQ|].
  intros [a|] Ha; [auto|cbn; auto].
Qed.

Lemma maxT_obind {T} A B (Q : option A -> Prop) (m : program T (option A)) (k : A -> program T (option B)) c :
  0 <= c -> leaves Q m -> (forall a, Q (Some a) -> INR (maxT (k a)) <= c) ->
  INR (maxT (obind m k)) <= INR (maxT m) + c.
Proof.
  intros Hc HQ H. unfold obind. induction m as [[a|]|t u v f IH]; cbn [bind maxT leaves] in *.
  - simpl. specialize (H a HQ). lra.
  - simpl. lra.
  - destruct HQ as [H1 H2]. specialize (IH true H1) as I1. specialize (IH false H2) as I2. rewrite !S_INR.
    pose proof (le_INR _ _ (Nat.le_max_l (maxT (f true)) (maxT (f false)))).
    pose proof (le_INR _ _ (Nat.le_max_r (maxT (f true)) (maxT (f false)))).
    match goal with |- INR (Nat.max ?x ?y) + 1 <= _ => destruct (Nat.max_spec x y) as [[_ ->]|[_ ->]] end; lra.
Qed.

(** A cost that adds up along sequencing, for continuations bounded on reachable answers. *)
Record additive (cost : forall A, prog (option A) -> R) : Prop := {
  cost_some : forall A (a : A), cost A (Ret (Some a)) = 0;
  cost_obind : forall A B (Q : option A -> Prop) (m : prog (option A)) (k : A -> prog (option B)) c,
    0 <= c -> leaves Q m -> (forall a, Q (Some a) -> cost B (k a) <= c) -> cost B (obind m k) <= cost A m + c }.

Section Additive.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Lemma ET_additive : additive (fun A m => ET P m).
Proof. split; [reflexivity|apply (ET_obind P P01)]. Qed.
Lemma maxT_additive : additive (fun A m => INR (maxT m)).
Proof. split; [reflexivity|intros A B; apply maxT_obind]. Qed.
Lemma ran_out_additive : additive (fun A m => Pr P m ran_out).
Proof. split; [reflexivity|]. intros A B Q m k c Hc L H. apply (Pr_union P P01 Q); auto. Qed.
End Additive.

(** ** Refinement: what a longer horizon adds *)

Lemma refines_refl {T A} (m : program T (option A)) : refines m m.
Proof. induction m; constructor; auto. Qed.

Lemma refines_obind {T A B} (m m' : program T (option A)) (k k' : A -> program T (option B)) :
  refines m m' -> (forall a, refines (k a) (k' a)) -> refines (obind m k) (obind m' k').
Proof. intros H K. unfold obind. induction H as [m|[a|]|t u v f f' _ IH]; cbn; try constructor; auto. Qed.

Section Refinement.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Context {T A : Type}.

Lemma refines_Pr (m m' : program T (option A)) ev : ev None = false -> refines m m' -> Pr P m ev <= Pr P m' ev.
Proof.
  intros He H. induction H as [m|o|t u v f f' _ IH].
  - pose proof (Pr_nonneg P P01 m ev). unfold Pr at 1. cbn. rewrite He. lra.
  - apply Rle_refl.
  - unfold Pr in *. cbn [expect]. apply conv_mono; auto.
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
