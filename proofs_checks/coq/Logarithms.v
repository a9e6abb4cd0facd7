(** * Enclosures of logarithms, by integers

    A real number is held between two integers, in units of 1/[u]: [encloses u e x] says that
    [low e <= u x <= high e].  Logarithms of integers come from the series of 2 artanh, with every term
    rounded down or up; pi comes from Machin's formula.  That the integers enclose what they should is
    proved; that they are near to each other is not, and needs not be: where they are too far apart to
    decide a question, the question stays open and is asked again in finer units. *)
From Coq Require Import Reals Lra Psatz Lia ZArith List Machin.
From Coquelicot Require Import Coquelicot.
From TGITE Require Import Program Hoeffding.
Import ListNotations.
Open Scope Z_scope.

Record enclosure := { low : Z; high : Z }.
Definition encloses (u : Z) (e : enclosure) (x : R) : Prop := (IZR (low e) <= IZR u * x <= IZR (high e))%R.

Definition plus (e f : enclosure) : enclosure := {| low := low e + low f; high := high e + high f |}.
Definition minus (e f : enclosure) : enclosure := {| low := low e - high f; high := high e - low f |}.
Definition times (k : Z) (e : enclosure) : enclosure := {| low := k * low e; high := k * high e |}. (* k >= 0 *)

(** The quotient, rounded up. *)
Definition up_div (a b : Z) : Z := - (- a / b).

(** From the terms t, t z, t z^2, ... (z the square of the argument), divided by k, k+2, k+4, ...; the rest is
    at most twice its first term. *)
Fixpoint artanh_low (fuel : nat) (u z t k : Z) : Z :=
  match fuel with
  | O => 0
  | S f => if t <=? 0 then 0 else t / k + artanh_low f u z (t * z / u) (k + 2)
  end.
Fixpoint artanh_high (fuel : nat) (u z t k : Z) : Z :=
  match fuel with
  | O => 2 * up_div t k
  | S f => if t <=? 1 then 2 * up_div t k else up_div t k + artanh_high f u z (up_div (t * z) u) (k + 2)
  end.

(** log(a/b) = 2 artanh((a-b)/(a+b)), for 0 < b <= a <= 3 b. *)
Definition log_ratio (u : Z) (a b : Z) : enclosure :=
  let fuel := Z.to_nat (Z.log2 u) in
  let l := (a - b) * u / (a + b) in
  let h := up_div ((a - b) * u) (a + b) in
  {| low := 2 * artanh_low fuel u (l * l / u) l 1; high := 2 * artanh_high fuel u (up_div (h * h) u) h 1 |}.

(** log a, for a >= 1, from log 2 *)
Definition log_integer (u : Z) (log2 : enclosure) (a : Z) : enclosure :=
  let k := Z.log2 a in plus (times k log2) (log_ratio u a (2 ^ k)).

(** arctan(1/m), from the alternating terms, each divided by m^2, between [l] and [h] *)
Fixpoint arctan (fuel : nat) (m2 l h k : Z) : enclosure :=
  match fuel with
  | O => {| low := 0; high := up_div h k |}
  | S f => if h <=? 1 then {| low := 0; high := up_div h k |}
           else minus {| low := l / k; high := up_div h k |} (arctan f m2 (l / m2) (up_div h m2) (k + 2))
  end.
Definition arctan_inverse (u m : Z) : enclosure := arctan (Z.to_nat (Z.log2 u)) (m * m) (u / m) (up_div u m) 1.
Definition pi (u : Z) : enclosure := minus (times 16 (arctan_inverse u 5)) (times 4 (arctan_inverse u 239)).

(** The logarithms that all others are made of: of 2, and of pi^2/6. *)
Record constants := { scale : Z; log2 : enclosure; log_basel : enclosure }.
Definition constants_at (u : Z) : constants :=
  let two := log_ratio u 2 1 in
  let log := log_integer u two in
  let p := pi u in
  let log_pi := minus {| low := low (log (Z.max 1 (low p))); high := high (log (Z.max 1 (high p))) |} (log u) in
  {| scale := u; log2 := two; log_basel := minus (times 2 log_pi) (log 6) |}.

Definition log_of (c : constants) (a : Z) : enclosure := log_integer (scale c) (log2 c) a.

Definition logarithms_enclosed_statement : Prop := forall u, 1 <= u ->
  let c := constants_at u in
  scale c = u /\ encloses u (log_basel c) (ln (PI * PI / 6)) /\
  forall a, 1 <= a -> encloses u (log_of c a) (ln (IZR a)).

(** * Proofs *)

Open Scope R_scope.

Lemma div_below a b : (0 < b)%Z -> IZR (a / b) * IZR b <= IZR a.
Proof. intro H. rewrite <- mult_IZR. apply IZR_le. rewrite Z.mul_comm. now apply Z.mul_div_le. Qed.
Lemma up_div_above a b : (0 < b)%Z -> IZR a <= IZR (up_div a b) * IZR b.
Proof. intro H. unfold up_div. rewrite opp_IZR. pose proof (div_below (- a) b H). rewrite opp_IZR in H0. lra. Qed.

Lemma div_le_real a b x : (0 < b)%Z -> IZR a <= x * IZR b -> IZR (a / b) <= x.
Proof. intros H Hx. pose proof (div_below a b H). apply IZR_lt in H. apply Rmult_le_reg_r with (IZR b); lra. Qed.
Lemma up_div_ge_real a b x : (0 < b)%Z -> x * IZR b <= IZR a -> x <= IZR (up_div a b).
Proof. intros H Hx. pose proof (up_div_above a b H). apply IZR_lt in H. apply Rmult_le_reg_r with (IZR b); lra. Qed.

Lemma encloses_plus u e f x y : encloses u e x -> encloses u f y -> encloses u (plus e f) (x + y).
Proof. unfold encloses, plus. cbn [low high]. rewrite !plus_IZR. intros. lra. Qed.
Lemma encloses_minus u e f x y : encloses u e x -> encloses u f y -> encloses u (minus e f) (x - y).
Proof. unfold encloses, minus. cbn [low high]. rewrite !minus_IZR. intros. lra. Qed.
Lemma encloses_times u k e x : (0 <= k)%Z -> encloses u e x -> encloses u (times k e) (IZR k * x).
Proof. unfold encloses, times. cbn [low high]. rewrite !mult_IZR. intros Hk H. apply IZR_le in Hk. nra. Qed.

Lemma odd_pos j : 0 < 2 * INR j + 1.
Proof. pose proof (pos_INR j). lra. Qed.

(** The derivative of a term. *)
Lemma term_derive j x : is_derive (fun z => z ^ (2 * j + 1) / (2 * INR j + 1)) x (x ^ (2 * j)).
Proof.
  pose proof (odd_pos j). auto_derive; [trivial|]. replace (j + (j + 0) + 1)%nat with (S (2 * j)) by lia.
  rewrite Nat.pred_succ. rewrite S_INR, mult_INR. simpl (INR 2). field. lra.
Qed.

Lemma pow_even_nonneg j (x : R) : 0 <= x ^ (2 * j).
Proof. rewrite pow_mult. apply pow_le. nra. Qed.
Lemma pow_next j (x : R) : x ^ (2 * S j + 1) = x ^ (2 * j + 1) * (x * x).
Proof. replace (2 * S j + 1)%nat with (S (S (2 * j + 1))) by lia. rewrite <- !tech_pow_Rmult. ring. Qed.
Lemma odd_next j k : IZR k = 2 * INR j + 1 -> IZR (k + 2) = 2 * INR (S j) + 1.
Proof. intro H. rewrite plus_IZR, H, S_INR. ring. Qed.

(** A term, rounded down or up. *)
Lemma term_rounded u x j t k : IZR k = 2 * INR j + 1 -> let term := x ^ (2 * j + 1) in
  (IZR t <= IZR u * term -> IZR (t / k) <= IZR u * (term / (2 * INR j + 1))) /\
  (IZR u * term <= IZR t -> IZR u * (term / (2 * INR j + 1)) <= IZR (up_div t k)).
Proof.
  intros Hk term. pose proof (odd_pos j). assert (0 < k)%Z by (apply lt_IZR; lra).
  assert (IZR u * (term / (2 * INR j + 1)) * IZR k = IZR u * term) as E by (rewrite Hk; field; lra).
  split; intro Ht; [apply div_le_real|apply up_div_ge_real]; auto; now rewrite E.
Qed.

(** ** Of artanh and arctan *)

(** What is left of artanh ([e] = 1) or of arctan (-1) after [j] terms, counted positively. *)
Fixpoint rest (e : R) (f : R -> R) (j : nat) (z : R) : R :=
  match j with
  | O => f z
  | S j' => e * (rest e f j' z - z ^ (2 * j' + 1) / (2 * INR j' + 1))
  end.

Lemma rest_derive e f x j : e * e = 1 -> 1 - e * (x * x) <> 0 -> is_derive f x (/ (1 - e * (x * x))) ->
  is_derive (rest e f j) x (x ^ (2 * j) / (1 - e * (x * x))).
Proof.
  intros He Hx Hf. induction j as [|j IH].
  - replace (x ^ (2 * 0) / (1 - e * (x * x))) with (/ (1 - e * (x * x))) by (simpl; field; exact Hx). exact Hf.
  - replace (x ^ (2 * S j) / (1 - e * (x * x))) with (e * (x ^ (2 * j) / (1 - e * (x * x)) - x ^ (2 * j))).
    + apply (is_derive_scal (fun z => rest e f j z - z ^ (2 * j + 1) / (2 * INR j + 1))).
      apply (is_derive_minus (rest e f j)); [exact IH|apply term_derive].
    + replace (2 * S j)%nat with (S (S (2 * j))) by lia. rewrite <- !tech_pow_Rmult.
      replace (x * (x * x ^ (2 * j))) with (e * e * (x * (x * x ^ (2 * j)))) by (rewrite He; ring). field. exact Hx.
Qed.

Lemma rest_0 e f j : f 0 = 0 -> rest e f j 0 = 0.
Proof. intro H. induction j as [|j IH]; cbn [rest]; [exact H|]. rewrite IH, pow_i by lia. unfold Rdiv. ring. Qed.

Lemma rest_nonneg e f j z : e * e = 1 -> f 0 = 0 -> 0 <= z ->
  (forall x, 0 <= x <= z -> 0 < 1 - e * (x * x) /\ is_derive f x (/ (1 - e * (x * x)))) -> 0 <= rest e f j z.
Proof.
  intros He H0 Hz H. apply (rising _ (fun x => x ^ (2 * j) / (1 - e * (x * x)))); [exact Hz|now apply rest_0| |];
    intros x Hx; destruct (H x Hx) as [D F].
  - apply rest_derive; auto. lra.
  - apply Rmult_le_pos; [apply pow_even_nonneg|]. left. now apply Rinv_0_lt_compat.
Qed.

Definition artanh_rest : nat -> R -> R := rest 1 (fun z => ln ((1 + z) / (1 - z)) / 2).
Definition arctan_rest : nat -> R -> R := rest (-1) atan.

Lemma artanh_derive x : 0 <= x < 1 ->
  0 < 1 - 1 * (x * x) /\ is_derive (fun z => ln ((1 + z) / (1 - z)) / 2) x (/ (1 - 1 * (x * x))).
Proof.
  intro Hx. split; [nra|]. auto_derive; [repeat split; try lra; apply Rdiv_lt_0_compat; lra|].
  field. repeat split; nra.
Qed.
Lemma artanh_0 : ln ((1 + 0) / (1 - 0)) / 2 = 0.
Proof. replace ((1 + 0) / (1 - 0)) with 1 by field. rewrite ln_1. field. Qed.
Lemma artanh_rest_nonneg j z : 0 <= z < 1 -> 0 <= artanh_rest j z.
Proof. intro Hz. apply rest_nonneg; [ring|apply artanh_0|lra|]. intros x Hx. apply artanh_derive. lra. Qed.

Lemma arctan_rest_nonneg j x : 0 <= x -> 0 <= arctan_rest j x.
Proof.
  intro Hx. apply rest_nonneg; [ring|apply atan_0|exact Hx|]. intros y Hy. split; [nra|].
  apply is_derive_Reals. replace (1 - -1 * (y * y)) with (1 + y ^ 2) by ring. apply derivable_pt_lim_atan.
Qed.

Lemma artanh_rest_le j z : 0 <= z <= 1/2 -> artanh_rest j z <= 2 * (z ^ (2 * j + 1) / (2 * INR j + 1)).
Proof.
  intro Hz. set (f := fun x => 2 * (x ^ (2 * j + 1) / (2 * INR j + 1)) - artanh_rest j x).
  assert (0 <= f z) as H; [|unfold f in H; lra].
  apply (rising _ (fun x => 2 * x ^ (2 * j) - x ^ (2 * j) / (1 - x * x))); [lra| | |].
  - unfold f, artanh_rest. rewrite rest_0 by apply artanh_0. rewrite pow_i by lia. unfold Rdiv. ring.
  - intros x Hx. apply (is_derive_minus (fun z => 2 * (z ^ (2 * j + 1) / (2 * INR j + 1))) (artanh_rest j)).
    + apply is_derive_scal. apply term_derive.
    + rewrite <- (Rmult_1_l (x * x)). apply rest_derive; [ring|nra|apply artanh_derive; lra].
  - intros x Hx. pose proof (pow_even_nonneg j x). assert (3/4 <= 1 - x * x) by nra.
    assert (x ^ (2 * j) / (1 - x * x) <= 2 * x ^ (2 * j)) by (apply Rle_div_l; nra). lra.
Qed.

Section Series.
Variable u : Z.
Hypothesis Hu : (1 <= u)%Z.
Let U := IZR u.
Let HU : 1 <= U.
Proof. now apply IZR_le in Hu. Qed.
Variable z : R. Hypothesis Hz : 0 <= z <= 1/2.

Lemma artanh_low_below z2 fuel : IZR z2 <= U * (z * z) -> forall j t k, IZR k = 2 * INR j + 1 ->
  IZR t <= U * z ^ (2 * j + 1) -> IZR (artanh_low fuel u z2 t k) <= U * artanh_rest j z.
Proof.
  intro H2. induction fuel as [|f IH]; intros j t k Hk Ht; cbn [artanh_low];
    pose proof (artanh_rest_nonneg j z ltac:(lra)); [simpl; nra|].
  destruct (Z.leb_spec t 0) as [T|T]; [simpl; nra|]. apply IZR_lt in T. rewrite plus_IZR.
  destruct (term_rounded u z j t k Hk) as [A _]. fold U in A.
  assert (B : IZR (artanh_low f u z2 (t * z2 / u) (k + 2)) <= U * artanh_rest (S j) z).
  { apply IH; [now apply odd_next|]. apply div_le_real; [lia|]. rewrite mult_IZR, pow_next. fold U.
    replace (U * (z ^ (2 * j + 1) * (z * z)) * U) with ((U * z ^ (2 * j + 1)) * (U * (z * z))) by ring.
    apply Rle_trans with (IZR t * (U * (z * z))); [apply Rmult_le_compat_l; lra|].
    apply Rmult_le_compat_r; [nra|exact Ht]. }
  unfold artanh_rest in *. cbn [rest] in B. lra.
Qed.

Lemma artanh_high_above z2 fuel : U * (z * z) <= IZR z2 -> forall j t k, IZR k = 2 * INR j + 1 ->
  U * z ^ (2 * j + 1) <= IZR t -> U * artanh_rest j z <= IZR (artanh_high fuel u z2 t k).
Proof.
  intro H2. induction fuel as [|f IH]; intros j t k Hk Ht; cbn [artanh_high];
    destruct (term_rounded u z j t k Hk) as [_ A]; specialize (A Ht); fold U in A.
  all: assert (D : U * artanh_rest j z <= IZR (2 * up_div t k))
    by (pose proof (artanh_rest_le j z Hz); rewrite mult_IZR; simpl (IZR 2); nra).
  - exact D.
  - destruct (Z.leb_spec t 1) as [T|T]; [exact D|]. rewrite plus_IZR.
    assert (B : U * artanh_rest (S j) z <= IZR (artanh_high f u z2 (up_div (t * z2) u) (k + 2))).
    { apply IH; [now apply odd_next|]. apply up_div_ge_real; [lia|]. rewrite mult_IZR, pow_next. fold U.
      replace (U * (z ^ (2 * j + 1) * (z * z)) * U) with ((U * z ^ (2 * j + 1)) * (U * (z * z))) by ring.
      apply Rmult_le_compat; auto; positive. }
    unfold artanh_rest in *. cbn [rest] in B. lra.
Qed.
End Series.

Lemma log_ratio_encloses u a b : (1 <= u)%Z -> (0 < b <= a)%Z -> (a <= 3 * b)%Z ->
  encloses u (log_ratio u a b) (ln (IZR a / IZR b)).
Proof.
  intros Hu Hb Hab. set (z := (IZR a - IZR b) / (IZR a + IZR b)).
  assert (0 < IZR b) by (apply IZR_lt; lia). assert (IZR b <= IZR a) by (apply IZR_le; lia).
  assert (IZR a <= 3 * IZR b) by (rewrite <- mult_IZR; apply IZR_le; lia). assert (Z0 : 0 <= z) by (unfold z; positive).
  assert (Z1 : z <= 1/2) by (apply Rle_div_l; lra). assert (L : ln (IZR a / IZR b) = 2 * artanh_rest 0 z).
  { unfold artanh_rest. cbn [rest]. replace ((1 + z) / (1 - z)) with (IZR a / IZR b) by (unfold z; field; lra). field. }
  set (l := ((a - b) * u / (a + b))%Z). set (h := up_div ((a - b) * u) (a + b)).
  assert (Hl : IZR l <= IZR u * z).
  { apply div_le_real; [lia|]. rewrite mult_IZR, minus_IZR, plus_IZR. unfold z. right. field. lra. }
  assert (Hh : IZR u * z <= IZR h).
  { apply up_div_ge_real; [lia|]. rewrite mult_IZR, minus_IZR, plus_IZR. unfold z. right. field. lra. }
  assert (L0 : 0 <= IZR l) by (apply IZR_le, Z.div_pos; nia). unfold encloses, log_ratio. cbn [low high]. fold l h.
  rewrite !mult_IZR, L. assert (IZR (artanh_low (Z.to_nat (Z.log2 u)) u (l * l / u) l 1) <= IZR u * artanh_rest 0 z).
  { apply artanh_low_below; auto; try lra; [|simpl; ring|simpl; lra].
    apply div_le_real; [lia|]. rewrite mult_IZR. nra. }
  assert (IZR u * artanh_rest 0 z <= IZR (artanh_high (Z.to_nat (Z.log2 u)) u (up_div (h * h) u) h 1)).
  { apply artanh_high_above; auto; try lra; [|simpl; ring|simpl; lra].
    apply up_div_ge_real; [lia|]. rewrite mult_IZR.
    replace (IZR u * (z * z) * IZR u) with ((IZR u * z) * (IZR u * z)) by ring.
    apply Rmult_le_compat; nra. }
  lra.
Qed.

Lemma log_integer_encloses u two a : (1 <= u)%Z -> (1 <= a)%Z -> encloses u two (ln 2) ->
  encloses u (log_integer u two a) (ln (IZR a)).
Proof.
  intros Hu Ha Ht. pose proof (Z.log2_spec a ltac:(lia)) as [A B]. pose proof (Z.log2_nonneg a) as K.
  set (k := Z.log2 a) in *. rewrite Z.pow_succ_r in B by auto.
  assert (P : (0 < 2 ^ k)%Z) by (apply Z.pow_pos_nonneg; lia). assert (0 < IZR (2 ^ k)) by (now apply IZR_lt).
  assert (0 < IZR a) by (apply IZR_lt; lia). replace (ln (IZR a)) with (IZR k * ln 2 + ln (IZR a / IZR (2 ^ k))).
  - apply encloses_plus; [now apply encloses_times|]. apply log_ratio_encloses; auto; lia.
  - unfold Rdiv. rewrite ln_mult, ln_Rinv by (auto using Rinv_0_lt_compat).
    rewrite <- (Z2Nat.id k K), <- pow_IZR, ln_pow, <- INR_IZR_INZ by (simpl; lra). ring.
Qed.

Lemma arctan_encloses u m fuel : (1 <= u)%Z -> (1 <= m)%Z -> forall j l h k, IZR k = 2 * INR j + 1 ->
  IZR l <= IZR u * (/ IZR m) ^ (2 * j + 1) <= IZR h ->
  encloses u (arctan fuel (m * m) l h k) (arctan_rest j (/ IZR m)).
Proof.
  intros Hu Hm. apply IZR_le in Hu as HU. apply IZR_le in Hm as HM. set (x := / IZR m).
  assert (0 < x) as X0 by (apply Rinv_0_lt_compat; lra).
  induction fuel as [|f IH]; intros j l h k Hk [Hl Hh]; cbn [arctan];
    pose proof (arctan_rest_nonneg j x ltac:(lra)) as N0; pose proof (arctan_rest_nonneg (S j) x ltac:(lra)) as N1;
    destruct (term_rounded u x j h k Hk) as [_ A]; specialize (A Hh);
    change (0 <= -1 * (arctan_rest j x - x ^ (2 * j + 1) / (2 * INR j + 1))) in N1.
  all: assert (D : encloses u {| low := 0; high := up_div h k |} (arctan_rest j x))
    by (unfold encloses; cbn [low high]; split; [simpl; nra|]; eapply Rle_trans; [|exact A];
        apply Rmult_le_compat_l; lra).
  - exact D.
  - destruct (Z.leb_spec h 1) as [T|T]; [exact D|].
    replace (arctan_rest j x) with (x ^ (2 * j + 1) / (2 * INR j + 1) - arctan_rest (S j) x)
      by (unfold arctan_rest; cbn [rest]; ring).
    apply encloses_minus; [split; [now apply term_rounded|exact A]|]. apply IH; [now apply odd_next|].
    assert (E : IZR u * x ^ (2 * S j + 1) * IZR (m * m) = IZR u * x ^ (2 * j + 1)).
    { rewrite pow_next, mult_IZR. unfold x at 2 3. field. lra. }
    split; [apply div_le_real|apply up_div_ge_real]; try nia; rewrite E; auto.
Qed.

Lemma arctan_inverse_encloses u m : (1 <= u)%Z -> (1 <= m)%Z -> encloses u (arctan_inverse u m) (atan (/ IZR m)).
Proof.
  intros Hu Hm. apply (arctan_encloses u m _ Hu Hm 0); [simpl; ring|]. apply IZR_le in Hm as HM. simpl (2 * 0 + 1)%nat.
  split; [apply div_le_real|apply up_div_ge_real]; try lia; right; field; lra.
Qed.

Lemma pi_encloses u : (1 <= u)%Z -> encloses u (pi u) PI.
Proof.
  intro Hu. replace PI with (16 * atan (/ 5) - 4 * atan (/ 239)) by (pose proof Machin_4_5_239; lra).
  apply encloses_minus; (apply encloses_times; [lia|]; apply arctan_inverse_encloses; lia).
Qed.

Theorem logarithms_enclosed : logarithms_enclosed_statement.
Proof.
  intros u Hu. apply IZR_le in Hu as HU. assert (Two : encloses u (log_ratio u 2 1) (ln 2)).
  { replace (ln 2) with (ln (IZR 2 / IZR 1)) by (f_equal; field). apply log_ratio_encloses; lia. }
  assert (Log : forall a, (1 <= a)%Z -> encloses u (log_integer u (log_ratio u 2 1) a) (ln (IZR a))).
  { intros. now apply log_integer_encloses. }
  split; [reflexivity|]. split; [|exact Log]. pose proof (pi_encloses u Hu) as [PL PH]. pose proof PI2_3_2 as P3.
  set (l := Z.max 1 (low (pi u))). set (h := Z.max 1 (high (pi u))). assert (Hl : IZR l <= IZR u * PI).
  { unfold l. destruct (Z.max_spec 1 (low (pi u))) as [[_ ->]|[_ ->]]; [auto|simpl; nra]. }
  assert (Hh : IZR u * PI <= IZR h) by (eapply Rle_trans; [exact PH|]; apply IZR_le; unfold h; lia).
  assert (1 <= l)%Z as L1 by (unfold l; lia). assert (1 <= h)%Z as H1 by (unfold h; lia). apply IZR_le in L1 as L1'.
  replace (ln (PI * PI / 6)) with (2 * (ln (IZR u * PI) - ln (IZR u)) - ln 6).
  - apply encloses_minus; [|apply (Log 6%Z); lia]. apply (encloses_times u 2); [lia|].
    apply encloses_minus; [|now apply Log]. destruct (Log l L1) as [A _], (Log h H1) as [_ B].
    assert (ln (IZR l) <= ln (IZR u * PI)) by (apply ln_le; lra).
    assert (ln (IZR u * PI) <= ln (IZR h)) by (apply ln_le; nra).
    split; [eapply Rle_trans; [exact A|]|eapply Rle_trans; [|exact B]]; apply Rmult_le_compat_l; lra.
  - unfold Rdiv. rewrite !ln_mult, ln_Rinv by (try lra; try nra; apply Rinv_0_lt_compat; lra). ring.
Qed.
