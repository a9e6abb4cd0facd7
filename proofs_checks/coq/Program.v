(** * Elementary properties of programs, probabilities and costs *)
From Coq Require Import Reals Lra Psatz List Lia Permutation.
Import ListNotations.
From TGITE Require Import Setting.
Open Scope R_scope.

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
Proof. apply Rle_trans with (expect P m (fun _ => 0)); [rewrite E_const; lra|]. apply E_mono. intro a; destruct (ev a); lra. Qed.

Lemma Pr_le1 {A} (m : program T A) ev : Pr P m ev <= 1.
Proof. apply Rle_trans with (expect P m (fun _ => 1)); [|rewrite E_const; lra]. apply E_mono. intro a; destruct (ev a); lra. Qed.

Lemma Pr_total w (m : program T (option arm)) : Pr P m (is_arm w) = 1 - Pr P m (wrong w) - Pr P m ran_out.
Proof.
  unfold Pr. induction m as [o|t u v k IH]; cbn [expect]; [|rewrite !IH; ring].
  destruct o as [x|]; cbn; [|lra]. destruct (Nat.eqb x w); cbn; lra.
Qed.

(** The union bound for sequencing. *)
Lemma Pr_obind_le {A B} (m : program T (option A)) (k : A -> program T (option B)) bad ev d :
  0 <= d ->
  (forall a, bad a = false -> Pr P (k a) ev <= d) -> ev None = false ->
  Pr P (obind m k) ev <= Pr P m (fun o => match o with Some a => bad a | None => false end) + d.
Proof.
  intros Hd H HN. unfold Pr, obind. rewrite E_bind.
  set (g := fun o : option A => if match o with Some a => bad a | None => false end then 1 else 0).
  apply Rle_trans with (expect P m (fun o => g o + d)); [|rewrite E_plus, E_const; apply Rle_refl].
  apply E_mono. unfold g. intros [a|]; simpl.
  - destruct (bad a) eqn:Eb.
    + pose proof (Pr_le1 (k a) ev). unfold Pr in *. lra.
    + pose proof (H a Eb). unfold Pr in *. lra.
  - rewrite HN. lra.
Qed.

Lemma Pr_obind_uniform {A B} (m : program T (option A)) (k : A -> program T (option B)) ev d :
  0 <= d -> (forall a, Pr P (k a) ev <= d) -> ev None = false -> Pr P (obind m k) ev <= d.
Proof.
  intros Hd H HN. unfold Pr, obind. rewrite E_bind.
  apply Rle_trans with (expect P m (fun _ => d)); [|rewrite E_const; apply Rle_refl]. apply E_mono; auto.
  intros [a|]; simpl; [apply H|rewrite HN; lra].
Qed.

Lemma E_mono_leaves {A} (Q : A -> Prop) (m : program T A) f g :
  leaves Q m -> (forall a, Q a -> f a <= g a) -> expect P m f <= expect P m g.
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
  apply Rle_trans with (expect P m (fun o => g o + c)); [|rewrite E_plus, E_const; apply Rle_refl].
  eapply (E_mono_leaves P P01); [exact HQ|]. intros [a|] Ha; unfold g; cbn; [|lra].
  specialize (H a Ha). unfold Pr in H. lra.
Qed.

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
