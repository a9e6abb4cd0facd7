(** * The confidence levels of a knockout tournament add up

    sum over r <= n of 1/r^2 is at most pi^2/6 for every n (Matsuoka's argument: the remainder is a
    quotient of two integrals), so that the levels 6 d/(pi^2 r^2) of BKT's rounds add up to at most d. *)
From Coq Require Import Reals Lra Psatz Lia.
From Coquelicot Require Import Coquelicot.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding.
Open Scope R_scope.

Definition basel_partial_statement : Prop := forall n,
  sm (fun j => / (INR (S j) * INR (S j))) n <= PI * PI / 6.

Definition bkt_levels_sum_statement : Prop := forall d n, 0 <= d ->
  sm (fun j => 6 * d / (PI * PI * (INR (S j) * INR (S j)))) n <= d.

(** * Proofs *)

Definition cos_integral (n : nat) : R := @RInt R_CompleteNormedModule (fun x => cos x ^ (2 * n)) 0 (PI / 2).
Definition square_cos_integral (n : nat) : R :=
  @RInt R_CompleteNormedModule (fun x => x * x * cos x ^ (2 * n)) 0 (PI / 2).

Lemma exd_cont (f : R -> R) x : ex_derive f x -> continuous f x.
Proof. intro H. now apply (@ex_derive_continuous R_AbsRing R_NormedModule). Qed.
Lemma integrable (f : R -> R) : (forall x, ex_derive f x) ->
  is_RInt f 0 (PI / 2) (@RInt R_CompleteNormedModule f 0 (PI / 2)).
Proof.
  intro H. apply (@RInt_correct R_CompleteNormedModule), (@ex_RInt_continuous R_CompleteNormedModule).
  intros. now apply exd_cont.
Qed.

Lemma lin2 (f g : R -> R) a b If Ig u v :
  is_RInt f u v If -> is_RInt g u v Ig ->
  is_RInt (fun x => a * f x + b * g x) u v (a * If + b * Ig).
Proof.
  intros Hf Hg. apply (@is_RInt_plus R_NormedModule (fun x => a * f x) (fun x => b * g x) u v (a * If) (b * Ig)).
  - apply (@is_RInt_scal R_NormedModule f u v a If Hf).
  - apply (@is_RInt_scal R_NormedModule g u v b Ig Hg).
Qed.

Lemma uniq (f g : R -> R) u v l l' : (forall x, f x = g x) -> is_RInt f u v l -> is_RInt g u v l' -> l = l'.
Proof.
  intros Hfg Hf Hg. apply (@is_RInt_ext R_NormedModule f g) in Hf; [|intros; apply Hfg].
  apply (@is_RInt_unique R_CompleteNormedModule) in Hf, Hg. congruence.
Qed.

Lemma I_is n : is_RInt (fun x => cos x ^ (2 * n)) 0 (PI/2) (cos_integral n).
Proof. apply integrable. intro x. auto_derive; auto. Qed.
Lemma J_is n : is_RInt (fun x => x * x * cos x ^ (2 * n)) 0 (PI/2) (square_cos_integral n).
Proof. apply integrable. intro x. auto_derive; auto. Qed.

(* 2(n+1) I_{n+1} = (2n+1) I_n *)
Lemma I_rec n : 2 * INR (S n) * cos_integral (S n) = (2 * INR n + 1) * cos_integral n.
Proof.
  assert (H : is_RInt (fun x => 2 * INR (S n) * cos x ^ (2 * S n) - (2 * INR n + 1) * cos x ^ (2 * n)) 0 (PI/2)
            (minus (sin (PI/2) * cos (PI/2) ^ (2 * n + 1)) (sin 0 * cos 0 ^ (2 * n + 1)))).
  { apply (is_RInt_derive (fun x => sin x * cos x ^ (2 * n + 1))).
    - intros x _. auto_derive; [trivial|].
      replace (n + (n + 0) + 1)%nat with (S (2 * n)) by lia. replace (2 * S n)%nat with (S (S (2 * n))) by lia.
      change (Init.Nat.pred (S (2 * n))) with (2 * n)%nat. rewrite <- !tech_pow_Rmult.
      rewrite (S_INR (2 * n)), (mult_INR 2 n), (S_INR n). change (INR 2) with 2.
      pose proof (sin2_cos2 x) as Q. unfold Rsqr in Q.
      set (c := cos x ^ (2 * n)). transitivity (cos x * cos x * c - (2 * INR n + 1) * (sin x * sin x) * c); [ring|].
      replace (sin x * sin x) with (1 - cos x * cos x) by lra. ring.
    - intros x _. apply exd_cont. auto_derive; auto. }
  rewrite cos_PI2, sin_0 in H. rewrite pow_i in H by lia.
  pose proof (lin2 _ _ (2 * INR (S n)) (- (2 * INR n + 1)) _ _ _ _ (I_is (S n)) (I_is n)) as K.
  pose proof (fun Hx => uniq _ _ _ _ _ _ Hx K H) as U.
  assert (2 * INR (S n) * cos_integral (S n) + - (2 * INR n + 1) * cos_integral n
    = sin (PI/2) * 0 - 0 * cos 0 ^ (2 * n + 1)) as V.
  { apply U. intro x. ring. }
  lra.
Qed.

(* I_{n+1} + 2(n+1)^2 J_{n+1} = (n+1)(2n+1) J_n *)
Lemma J_rec n : cos_integral (S n) + 2 * (INR (S n) * INR (S n)) * square_cos_integral (S n)
  = INR (S n) * (2 * INR n + 1) * square_cos_integral n.
Proof.
  set (F := fun x => x * cos x ^ (2 * S n) + INR (S n) * (x * x) * (sin x * cos x ^ (2 * n + 1))).
  assert (H : is_RInt (fun x => cos x ^ (2 * S n) + 2 * (INR (S n) * INR (S n)) * (x * x * cos x ^ (2 * S n))
                         - INR (S n) * (2 * INR n + 1) * (x * x * cos x ^ (2 * n))) 0 (PI/2)
            (minus (F (PI/2)) (F 0))).
  { apply (is_RInt_derive F).
    - intros x _. unfold F. auto_derive; [trivial|].
      replace (n + (n + 0) + 1)%nat with (S (2 * n)) by lia.
      replace (n + S (n + 0))%nat with (S (2 * n)) by lia.
      replace (2 * S n)%nat with (S (S (2 * n))) by lia.
      replace (S n + (S n + 0))%nat with (S (S (2 * n))) by lia.
      change (Init.Nat.pred (S (2 * n))) with (2 * n)%nat.
      change (Init.Nat.pred (S (S (2 * n)))) with (S (2 * n))%nat.
      change (match n with 0%nat => 1 | S _ => INR n + 1 end) with (INR (S n)).
      rewrite <- !tech_pow_Rmult.
      rewrite ?(S_INR (S (2 * n))), ?(S_INR (2 * n)), ?(mult_INR 2 n), ?(S_INR n). change (INR 2) with 2.
      pose proof (sin2_cos2 x) as Q. unfold Rsqr in Q.
      set (c := cos x ^ (2 * n)). match goal with |- _ = ?r =>
        transitivity (r + (INR n + 1) * (2 * INR n + 1) * (x * x) * c * (1 - (sin x * sin x + cos x * cos x))) end.
      + ring.
      + rewrite Q. ring.
    - intros x _. apply exd_cont. auto_derive; auto. }
  pose proof (lin2 _ _ 1 1 _ _ _ _ (lin2 _ _ 1 (2 * (INR (S n) * INR (S n))) _ _ _ _ (I_is (S n)) (J_is (S n)))
     (lin2 _ _ (- (INR (S n) * (2 * INR n + 1))) 0 _ _ _ _ (J_is n) (J_is n))) as K.
  pose proof (fun Hx => uniq _ _ _ _ _ _ Hx K H) as U. clear K H.
  assert (minus (F (PI/2)) (F 0) = 0) as F0.
  { unfold F. rewrite cos_PI2, sin_0. rewrite !pow_i by lia.
    match goal with |- minus ?a ?b = 0 => change (a - b = 0) end. ring. }
  rewrite F0 in U.
  assert (1 * (1 * cos_integral (S n) + 2 * (INR (S n) * INR (S n)) * square_cos_integral (S n)) +
          1 * (- (INR (S n) * (2 * INR n + 1)) * square_cos_integral n + 0 * square_cos_integral n) = 0) as V.
  { apply U. intro x. ring. }
  lra.
Qed.

Lemma cos_integral_0 : cos_integral 0 = PI / 2.
Proof.
  unfold cos_integral. replace (2 * 0)%nat with 0%nat by lia. simpl.
  rewrite (RInt_const 0 (PI/2) 1). unfold scal. simpl. unfold mult. simpl. ring.
Qed.

Lemma I_pos n : 0 < cos_integral n.
Proof.
  induction n as [|n IH].
  - rewrite cos_integral_0. pose proof PI_RGT_0. lra.
  - pose proof (I_rec n) as R1. pose proof (pos_INR n). rewrite S_INR in R1.
    assert (0 < (2 * INR n + 1) * cos_integral n) by positive.
    destruct (Rle_lt_dec (cos_integral (S n)) 0); [exfalso|assumption].
    assert (2 * (INR n + 1) * cos_integral (S n) <= 0) by nra. lra.
Qed.

Lemma J_nonneg n : 0 <= square_cos_integral n.
Proof.
  unfold square_cos_integral. apply RInt_ge_0.
  - pose proof PI_RGT_0; lra.
  - eexists. apply J_is.
  - intros x Hx. apply Rmult_le_pos; [nra|]. rewrite pow_mult. apply pow_le. nra.
Qed.

Lemma square_cos_integral_0 : square_cos_integral 0 = PI ^ 3 / 24.
Proof.
  assert (H : is_RInt (fun x => x * x * cos x ^ (2 * 0)) 0 (PI/2) (minus ((PI/2)^3/3) (0^3/3))).
  { apply (is_RInt_derive (fun x => x ^ 3 / 3)).
    - intros x _. replace (2 * 0)%nat with 0%nat by lia. auto_derive; [trivial|simpl; field].
    - intros x _. apply exd_cont. auto_derive; auto. }
  unfold square_cos_integral. rewrite (@is_RInt_unique R_CompleteNormedModule _ _ _ _ H).
  match goal with |- minus ?a ?b = ?c => change (a - b = c) end. field.
Qed.

(* telescoping: J n / I n = PI^2/12 - sum_{k=1}^n 1/(2k^2) *)
Lemma ratio n : square_cos_integral n / cos_integral n + sm (fun j => / (INR (S j) * INR (S j))) n / 2 = PI * PI / 12.
Proof.
  induction n as [|n IH].
  - simpl sm. rewrite cos_integral_0, square_cos_integral_0. pose proof PI_RGT_0. field. lra.
  - cbn [sm]. rewrite <- IH. clear IH.
    pose proof (I_rec n) as R1. pose proof (J_rec n) as R2.
    pose proof (I_pos n) as P1. pose proof (I_pos (S n)) as P2.
    assert (0 < INR (S n)) as Hn by positive. assert (0 < 2 * INR n + 1) as Hm by (pose proof (pos_INR n); lra).
    set (k := INR (S n)) in *. set (m := 2 * INR n + 1) in *.
    (* I n = 2 k I(S n) / m ;  J n = (I(S n) + 2k^2 J(S n)) / (k m) *)
    assert (cos_integral n = 2 * k * cos_integral (S n) / m) as E1
      by (apply Rmult_eq_reg_l with m; [rewrite <- R1; field; lra|lra]).
    assert (square_cos_integral n = (cos_integral (S n) + 2 * (k * k) * square_cos_integral (S n)) / (k * m)) as E2
      by (apply Rmult_eq_reg_l with (k * m); [rewrite <- R2; field; lra|nra]).
    rewrite E1, E2. field. lra.
Qed.

Theorem basel_partial : basel_partial_statement.
Proof.
  intro n. pose proof (ratio n). pose proof (J_nonneg n). pose proof (I_pos n).
  assert (0 <= square_cos_integral n / cos_integral n) by positive. lra.
Qed.

Theorem bkt_levels_sum : bkt_levels_sum_statement.
Proof.
  intros d n Hd. pose proof PI_RGT_0 as HP.
  apply Rle_trans with (6 * d / (PI * PI) * sm (fun j => / (INR (S j) * INR (S j))) n).
  - rewrite <- sm_scal. apply sm_le. intros j _. right.
    assert (0 < INR (S j)) by (apply INR_pos; lia). field. lra.
  - apply Rle_trans with (6 * d / (PI * PI) * (PI * PI / 6)).
    + apply Rmult_le_compat_l; [positive|apply basel_partial].
    + right. field. lra.
Qed.
