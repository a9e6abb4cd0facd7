(** * The float code of the two tests

    What the Python code computes, operation by operation, and that it decides as a rule of the theorems
    does.  [expr] is the part of Python in which radii and decisions are written; the terms below are
    compared with the code itself (see docs/proofs.md).  Ints are exact; a float operation gives the double
    nearest to the real result, as IEEE 754 has it, and so do Python's conversion of an int and its quotient
    of two ints.  Nothing is known of the library's logarithm but the hypothesis [logs_near]. *)
From Coq Require Import Reals ZArith Lra Psatz Lia.
From Coquelicot Require Import Rcomplements.
From Flocq Require Import Core Relative Sterbenz.
From TGITE Require Import Setting Algorithms Statements Program Confidence DuelTest BudgetedDuelTest.
Open Scope R_scope.

(** ** Doubles: the numbers m 2^e with |m| < 2^53 and e >= -1074.  Above 2^1024 there is none ([rounded]). *)
Definition double_exp : Z -> Z := FLT_exp (-1074) 53.
Definition is_double (x : R) : Prop := generic_format radix2 double_exp x.
Definition nearest (x : R) : R := Generic_fmt.round radix2 double_exp ZnearestE x. (* ties to even *)
Definition last_place (x : R) : R := ulp radix2 double_exp x. (* from one double to the next, around x *)
Definition rounded (x : R) : option R := if Rlt_dec (Rabs (nearest x)) (2 ^ 1024) then Some (nearest x) else None.

(** ** Expressions, and what Python computes: [None] for an exception, or for what is no number. *)
Inductive number := Int (k : Z) | Float (x : R).
Inductive expr :=
  | Value (v : number)
  | Add (a b : expr) | Sub (a b : expr) | Mul (a b : expr) | Div (a b : expr) | Pow (a : expr) (k : Z)
  | Abs (a : expr) | Sqrt (a : expr) | Log (a : expr).
Definition int (k : Z) : expr := Value (Int k).
Definition float (x : R) : expr := Value (Float x).

Definition as_double (v : number) : option R := match v with Int k => rounded (IZR k) | Float x => Some x end.
Definition on_doubles (f : R -> R -> option R) (v w : number) : option number :=
  match as_double v, as_double w with Some x, Some y => option_map Float (f x y) | _, _ => None end.
Definition arithmetic (exact : Z -> Z -> Z) (f : R -> R -> R) (v w : number) : option number :=
  match v, w with
  | Int j, Int k => Some (Int (exact j k))
  | _, _ => on_doubles (fun x y => rounded (f x y)) v w
  end.
Definition divided (x y : R) : option R := if Req_EM_T y 0 then None else rounded (x / y).
Definition quotient (v w : number) : option number :=
  match v, w with
  | Int j, Int k => option_map Float (divided (IZR j) (IZR k)) (* rounded once: ints are not made doubles *)
  | _, _ => on_doubles divided v w
  end.

Section Run.
Variable log : R -> R.    (* the library's, of a double *)

Fixpoint run (e : expr) : option number :=
  let two f a b := match run a, run b with Some v, Some w => f v w | _, _ => None end in
  let one f a := match run a with
                 | Some v => match as_double v with Some x => option_map Float (f x) | None => None end
                 | None => None end in
  match e with
  | Value v => Some v
  | Add a b => two (arithmetic Z.add Rplus) a b
  | Sub a b => two (arithmetic Z.sub Rminus) a b
  | Mul a b => two (arithmetic Z.mul Rmult) a b
  | Div a b => two quotient a b
  | Pow a k => match run a with (* ints *)
               | Some (Int j) => if (0 <=? k)%Z then Some (Int (j ^ k)) else None
               | _ => None end
  | Abs a => match run a with
             | Some (Int j) => Some (Int (Z.abs j))
             | Some (Float x) => Some (Float (Rabs x))
             | None => None end
  | Sqrt a => one (fun x => if Rle_dec 0 x then rounded (sqrt x) else None) a
  | Log a => one (fun x => if Rlt_dec 0 x then Some (log x) else None) a
  end.

(** Comparisons are exact. *)
Definition compared (r : R -> R -> bool) (a b : expr) : option bool :=
  match run a, run b with Some (Float x), Some (Float y) => Some (r x y) | _, _ => None end.
Definition above (x y : R) : bool := if Rlt_dec y x then true else false.
Definition at_least (x y : R) : bool := if Rle_dec y x then true else false.
End Run.

(** ** The code: [duel_test.py] and [budgeted_duel_test.py], each name of a variable a term. *)
Definition half_code : expr := Div (int 1) (int 2).
Definition mean_code (S n : expr) : expr := Div S n.
Definition distance_code (mean : expr) : expr := Abs (Sub mean half_code).
Definition c_code (n log_inverse : expr) : expr :=
  Sqrt (Div (Add (Log (Mul (Mul (int 2) n) (Add n (int 1)))) log_inverse) (Mul (int 2) n)).
Definition b_code (n log_inverse : expr) : expr :=
  Sqrt (Div (Add (Log (Mul (int 8) (Pow n 2))) log_inverse) (Mul (int 2) n)).
Definition threshold_code (b gap : expr) : expr := Sub b gap.

Section Code.
Variable log : R -> R.              (* math.log *)
Variable log_inverse : R -> R.      (* delta.log_inverse, of the level delta *)

Definition mean_of (n s : nat) : expr := mean_code (int (Z.of_nat s)) (int (Z.of_nat n)).
(** if abs(mean - 1 / 2) > c(n, delta) *)
Definition code_stops (d : R) (n s : nat) : option bool :=
  compared log above (distance_code (mean_of n s)) (c_code (int (Z.of_nat n)) (float (log_inverse d))).
(** if mean > 1 / 2 *)
Definition code_ahead (n s : nat) : option bool := compared log above (mean_of n s) half_code.
Definition code_rule : rule := fun d n s =>
  match code_stops d n s with Some true => code_ahead n s | _ => None end.

(** gap = float(g), the nearest double; if abs(mean - 1 / 2) > b(n, delta) - gap *)
Definition code_budgeted_stops (g d : R) (n s : nat) : option bool :=
  compared log above (distance_code (mean_of n s))
    (threshold_code (b_code (int (Z.of_nat n)) (float (log_inverse d))) (float (nearest g))).
(** if mean >= 1 / 2 *)
Definition code_budgeted_ahead (n s : nat) : option bool := compared log at_least (mean_of n s) half_code.
(** The budget is computed exactly, see [tgite.budgeted_duel_test.budget]. *)
Definition code_budgeted : budgeted_rule := {|
  bstop := fun g d n s => match code_budgeted_stops g d n s with Some true => code_budgeted_ahead n s | _ => None end;
  bvote := fun n s => match code_budgeted_ahead n s with Some b => b | None => false end;
  bbudget := fun g d => ceil (budget_real g d) |}.

(** The hypothesis: 2^12 units in the last place are allowed to a logarithm; libraries promise one. *)
Definition near (y x : R) : Prop := Rabs (y - x) <= 2 ^ 12 * last_place x.
Definition logs_near : Prop :=
  (forall x, is_double x -> 4 <= x <= 2 ^ 122 -> near (log x) (ln x)) /\
  (forall d, held d -> near (log_inverse d) (ln (/ d))).
End Code.

(** No operation of DuelTest's code overflows or fails, up to 2^60 duels, and its test is the test of a rule
    of the theorems. *)
Definition float_dueltest_statement : Prop := forall log log_inverse, logs_near log log_inverse ->
  (forall d n s, held d -> counted n s ->
     code_stops log log_inverse d n s <> None /\ code_ahead log n s <> None) /\
  exists ideal : rule, sound ideal /\ prompt ideal /\
  (forall d n s, held d -> counted n s -> ideal d n s = code_rule log log_inverse d n s) /\
  forall F d u v, INR F <= 2 ^ 60 -> held d -> DT (code_rule log log_inverse) F d u v = DT ideal F d u v.

(** The same of BudgetedDuelTest, for budgets up to 2^52. *)
Definition float_budgeted_statement : Prop := forall log log_inverse, logs_near log log_inverse ->
  (forall g d n s, 0 < g <= 1/2 -> held d -> counted_52 n s ->
     code_budgeted_stops log log_inverse g d n s <> None /\ code_budgeted_ahead log n s <> None) /\
  exists ideal : budgeted_rule, admissible ideal /\
  (forall g d n s, 0 < g <= 1/2 -> held d -> counted_52 n s -> same_at (code_budgeted log log_inverse) ideal g d n s) /\
  forall g d u v, 0 < g <= 1/2 -> held d -> INR (ceil (budget_real g d)) <= 2 ^ 52 ->
    BDT (code_budgeted log log_inverse) g d u v = BDT ideal g d u v.

(** The hypothesis can be met: by logarithms that are rounded to the nearest double. *)
Definition rounded_logs_are_near_statement : Prop := logs_near (fun x => nearest (ln x)) (fun d => nearest (ln (/ d))).

(** * Proofs *)

(** ** The nearest double *)

#[local] Instance prec_gt_0 : Prec_gt_0 53. Proof. reflexivity. Qed.
#[local] Instance double_exp_valid : Valid_exp double_exp. Proof. apply FLT_exp_valid, prec_gt_0. Qed.
#[local] Instance double_exp_monotone : Monotone_exp double_exp. Proof. apply FLT_exp_monotone. Qed.

Lemma bpow_nat n : bpow radix2 (Z.of_nat n) = 2 ^ n.
Proof. rewrite bpow_powerRZ, <- pow_powerRZ. reflexivity. Qed.
Lemma bpow_minus n : bpow radix2 (- Z.of_nat n) = / 2 ^ n.
Proof. now rewrite bpow_opp, bpow_nat. Qed.

Lemma power_is_double k : (-1074 <= k)%Z -> is_double (bpow radix2 k).
Proof. intro H. apply generic_format_bpow. unfold double_exp, FLT_exp. lia. Qed.
Lemma half_is_double : is_double (1/2).
Proof. replace (1/2) with (bpow radix2 (-1)) by (simpl; lra). now apply power_is_double. Qed.

Lemma nearest_mono x y : x <= y -> nearest x <= nearest y.
Proof. apply round_le; typeclasses eauto. Qed.
Lemma nearest_double x : is_double x -> nearest x = x.
Proof. apply round_generic; typeclasses eauto. Qed.
Lemma is_double_nearest x : is_double (nearest x).
Proof. apply generic_format_round; typeclasses eauto. Qed.
Lemma nearest_power_le k x : (-1074 <= k)%Z -> x <= bpow radix2 k -> nearest x <= bpow radix2 k.
Proof. intros Hk H. rewrite <- (nearest_double _ (power_is_double k Hk)). now apply nearest_mono. Qed.
Lemma nearest_power_ge k x : (-1074 <= k)%Z -> bpow radix2 k <= x -> bpow radix2 k <= nearest x.
Proof. intros Hk H. rewrite <- (nearest_double _ (power_is_double k Hk)). now apply nearest_mono. Qed.
Lemma nearest_0 : nearest 0 = 0. Proof. apply round_0; typeclasses eauto. Qed.

Lemma nearest_error k x : (k <= 1000)%nat -> Rabs x <= / 2 ^ k -> Rabs (nearest x - x) <= / 2 ^ (54 + k).
Proof.
  intros Hk Hx. destruct (Req_dec x 0) as [->|Zx].
  { rewrite nearest_0, Rminus_0_r, Rabs_R0. positive. }
  rewrite <- bpow_minus in *. destruct Hx as [Hx|Hx].
  - eapply Rle_trans; [apply error_le_half_ulp; typeclasses eauto|]. rewrite ulp_neq_0 by exact Zx.
    replace (- Z.of_nat (54 + k))%Z with (- Z.of_nat k - 53 + -1)%Z by lia. rewrite bpow_plus, Rmult_comm.
    apply Rmult_le_compat; [apply bpow_ge_0|lra| |simpl; lra].
    apply bpow_le. pose proof (mag_le_bpow radix2 x _ Zx Hx). unfold cexp, double_exp, FLT_exp. lia.
  - assert (is_double x) as H.
    { unfold Rabs in Hx.
      destruct (Rcase_abs x); [rewrite <- (Ropp_involutive x); apply generic_format_opp|]; rewrite Hx;
        apply power_is_double; lia. }
    rewrite (nearest_double x H), Rminus_eq_0, Rabs_R0. apply bpow_ge_0.
Qed.

(** Nothing overflows: all that is rounded here is far below 2^200. *)
Lemma rounded_at x : Rabs x <= 2 ^ 200 -> rounded x = Some (nearest x).
Proof.
  intro H. unfold rounded. destruct (Rlt_dec _ _) as [_|N]; [reflexivity|exfalso; apply N].
  apply Rle_lt_trans with (2 ^ 200); [|apply Rlt_pow; [lra|lia]].
  rewrite <- (bpow_nat 200) in *. apply abs_round_le_generic; try typeclasses eauto; [|exact H].
  now apply power_is_double.
Qed.

Section Proofs.
(** ** Relative errors, in units of 2^-53 *)

Definition off_by (e x y : R) : Prop := (1 - e) * x <= y <= (1 + e) * x.
Let u : R := / 2 ^ 53.

Lemma u_tiny : 0 < u <= / 1000000.
Proof. unfold u. lra. Qed.

Lemma off_by_trans e f g x y z : 0 <= x -> 0 <= e <= 1 -> 0 <= f <= 1 -> e + f + e * f <= g ->
  off_by e x y -> off_by f y z -> off_by g x z.
Proof.
  intros Hx He Hf Hg [A B] [C D]. split.
  - apply Rle_trans with ((1 - f) * ((1 - e) * x)); [nra|].
    apply Rle_trans with ((1 - f) * y); [apply Rmult_le_compat_l; lra|exact C].
  - apply Rle_trans with ((1 + f) * ((1 + e) * x)); [|nra].
    apply Rle_trans with ((1 + f) * y); [exact D|apply Rmult_le_compat_l; lra].
Qed.

Lemma nearest_off_by x : / 2 ^ 200 <= x -> off_by u x (nearest x).
Proof.
  intro H. assert (Rabs (nearest x - x) <= u * x) as K.
  { rewrite <- (Rabs_pos_eq x) at 3 by lra. replace u with (/ 2 * bpow radix2 (-53 + 1)) by (unfold u; simpl; lra).
    apply relative_error_N_FLT; [reflexivity|]. rewrite Rabs_pos_eq by lra. eapply Rle_trans; [|exact H].
    rewrite <- bpow_minus. apply bpow_le. lia. }
  apply Rabs_le_inv in K. unfold off_by. lra.
Qed.

Lemma last_place_le x : 0 < x -> 2 ^ 12 * last_place x <= 8192 * u * x + u.
Proof.
  intro H. pose proof (bpow_gt_0 radix2 (-1074)). pose proof u_tiny.
  assert (last_place x <= 2 * u * x + bpow radix2 (-1074)).
  { destruct (Rlt_le_dec (Rabs x) (bpow radix2 (-1074 + 53))) as [h|h].
    - unfold last_place, double_exp. rewrite ulp_FLT_small by (exact h || exact _). nra.
    - eapply Rle_trans; [apply ulp_FLT_le; eapply Rle_trans; [|exact h]; apply bpow_le; lia|].
      rewrite Rabs_pos_eq by lra. replace (bpow radix2 (1 - 53)) with (2 * u) by (unfold u; simpl; lra). lra. }
  assert (2 ^ 12 * bpow radix2 (-1074) <= u); [|lra].
  rewrite <- (bpow_nat 12), <- bpow_plus. unfold u. rewrite <- bpow_minus. apply bpow_le. lia.
Qed.

Lemma ln_off_by x y : 4 <= x -> off_by u x y -> off_by (2 * u) (ln x) (ln y).
Proof.
  intros Hx [A B]. pose proof u_tiny. pose proof (ln_gt_1 x Hx). assert (0 < y) as Hy by nra.
  pose proof (ln_tangent y x Hy ltac:(lra)) as U. pose proof (ln_tangent x y ltac:(lra) Hy) as D.
  assert (y / x <= 1 + u) by (apply Rle_div_l; lra). assert (x / y <= 1 + 2 * u) by (apply Rle_div_l; nra).
  unfold off_by. nra.
Qed.

Lemma sqrt_off_by e x y : off_by e x y -> 0 <= x -> 0 <= e <= 1/2 -> off_by (3/4 * e) (sqrt x) (sqrt y).
Proof.
  intros [A B] Hx He. pose proof (sqrt_pos x) as S. pose proof (sqrt_sqrt x Hx) as SS.
  assert (forall f, 0 <= f -> f * sqrt x = sqrt (f * f * x)) as F.
  { intros f Hf. rewrite <- (sqrt_square (f * sqrt x)) by now apply Rmult_le_pos. f_equal. rewrite <- SS at 3. ring. }
  split; rewrite F by lra; apply sqrt_le_1_alt; [eapply Rle_trans; [|exact A]|eapply Rle_trans; [exact B|]];
    apply Rmult_le_compat_r; nra.
Qed.

Lemma off_by_2 e x y : off_by e x y -> 0 <= x -> 0 <= e <= 1/2 -> x / 2 <= y <= 2 * x.
Proof. intros [A B] Hx He. split; [eapply Rle_trans; [|exact A]|eapply Rle_trans; [exact B|]]; nra. Qed.

Lemma off_by_quotient e x y m p : off_by e x y -> off_by (0 + 2 * u) m p -> 0 < x -> 0 < m -> 0 <= e <= / 100 ->
  off_by (e + 4 * u) (x / m) (y / p).
Proof.
  intros [A B] [C D] Hx Hm He. pose proof u_tiny as Hu. assert (0 < p) as Hp by nra.
  assert (x = x / m * m) as E by (field; lra). set (q := x / m) in *. split.
  - apply (Rle_div_r _ y); [exact Hp|]. apply Rle_trans with ((1 - (e + 4 * u)) * q * ((1 + 2 * u) * m)).
    + apply Rmult_le_compat_l; [nra|lra].
    + assert (0 <= u * (q * m) * (1 + e + 4 * u)) by positive. rewrite E in A. lra.
  - apply (Rle_div_l y); [exact Hp|]. apply Rle_trans with ((1 + (e + 4 * u)) * q * ((1 - 2 * u) * m)).
    + assert (0 <= u * (q * m) * (1 - e - 4 * u)) by positive. rewrite E in B. lra.
    + apply Rmult_le_compat_l; [nra|lra].
Qed.

(** ** The radius *)

Variables log log_inverse : R -> R.
Hypothesis Near : logs_near log log_inverse.

Lemma log_off_by k : 4 <= k <= 2 ^ 122 -> off_by (8196 * u) (ln k) (log (nearest k)).
Proof.
  intros [H4 HM]. pose proof u_tiny. pose proof (ln_gt_1 k H4).
  assert (4 <= nearest k) as L4 by (apply (nearest_power_ge 2 k); [lia|simpl; lra]).
  assert (nearest k <= 2 ^ 122) as LM by (rewrite <- (bpow_nat 122) in *; now apply nearest_power_le).
  apply off_by_trans with (e := 2 * u) (f := 8193 * u) (y := ln (nearest k)); [lra|lra|lra|nra| |].
  - apply ln_off_by; [exact H4|]. apply nearest_off_by. apply Rle_trans with 1; [|lra].
    rewrite <- Rinv_1. apply Rinv_le_contravar; [lra|]. apply pow_R1_Rle. lra.
  - pose proof (ln_gt_1 _ L4) as L. destruct Near as [N _].
    specialize (N (nearest k) (is_double_nearest k) ltac:(lra)). apply Rabs_le_inv in N.
    pose proof (last_place_le (ln (nearest k)) ltac:(lra)). assert (u <= u * ln (nearest k)) by nra.
    unfold off_by. lra.
Qed.

Lemma log_inverse_near d : held d -> Rabs (log_inverse d - ln (/ d)) <= 8192 * u * ln (/ d) + u.
Proof.
  intro Hd. destruct Near as [_ N]. eapply Rle_trans; [exact (N d Hd)|]. apply last_place_le, ln_inv_pos, Hd.
Qed.

Lemma off_by_nearest e x y : off_by e x y -> 0 <= e <= / 100 -> / 2 ^ 190 <= x <= 2 ^ 190 ->
  off_by (e + 2 * u) x (nearest y) /\ x / 2 <= nearest y <= 2 * x /\ rounded y = Some (nearest y).
Proof.
  intros S He Hx. pose proof u_tiny. pose proof (off_by_2 _ _ _ S ltac:(lra) ltac:(lra)) as Hy.
  assert (off_by (e + 2 * u) x (nearest y)) as A.
  { apply off_by_trans with (e := e) (f := u) (y := y); auto; [lra|lra|lra|nra|apply nearest_off_by; lra]. }
  split; [exact A|]. split; [apply off_by_2 with (1 := A); lra|]. apply rounded_at. rewrite Rabs_pos_eq; lra.
Qed.

(** The code of both radii, for the integers [k] under the logarithm and [m] below the fraction. *)
Definition radius_code (k m : Z) (l : R) : expr := Sqrt (Div (Add (Log (int k)) (float l)) (int m)).

Lemma radius_runs k n d : held d -> 4 <= IZR k <= 2 ^ 122 -> (0 < n)%nat -> INR n <= 2 ^ 60 ->
  exists r, run log (radius_code k (2 * Z.of_nat n) (log_inverse d)) = Some (Float r) /\ 0 <= r <= 2 ^ 200 /\
    off_by (/ 2 ^ 40) (sqrt (ln (IZR k / d) / (2 * INR n))) r.
Proof.
  intros Hd Hk Hn HN. assert (1 <= INR n) as N1 by (apply (le_INR 1); lia).
  replace (2 * INR n) with (IZR (2 * Z.of_nat n)) by now rewrite mult_IZR, <- INR_IZR_INZ.
  assert (1 <= IZR (2 * Z.of_nat n) <= 2 ^ 61) as Hm by (rewrite mult_IZR, <- INR_IZR_INZ; lra).
  set (m := (2 * Z.of_nat n)%Z) in *. pose proof (log_off_by _ Hk) as A. pose proof (log_inverse_near d Hd) as B.
  apply Rabs_le_inv in B. destruct Hd as [Hd HL]. pose proof u_tiny as Hu.
  pose proof (ln_inv_pos d Hd) as L. pose proof (ln_gt_1 _ (proj1 Hk)) as L1.
  assert (ln (IZR k) <= IZR k) as L2 by (pose proof (exp_ineq1_le (ln (IZR k))) as K; rewrite exp_ln in K; lra).
  replace (ln (IZR k / d)) with (ln (IZR k) + ln (/ d)) by (symmetry; apply ln_mult; positive).
  set (T := ln (IZR k) + ln (/ d)). set (a := log (nearest (IZR k)) + log_inverse d).
  assert (1 <= T <= 2 ^ 123) as HT by (unfold T; lra).
  assert (u <= u * ln (IZR k)) as K1 by nra. assert (0 <= u * ln (/ d)) as K2 by nra.
  assert (off_by (8197 * u) T a) as S1 by (unfold off_by in *; unfold a, T; lra).
  assert (forall x, off_by 0 x x) as Same by (unfold off_by; intro; lra).
  destruct (off_by_nearest _ _ _ (Same (IZR k)) ltac:(lra) ltac:(lra)) as (_ & R0 & E0).
  destruct (off_by_nearest _ _ _ (Same (IZR m)) ltac:(lra) ltac:(lra)) as (S3 & R3 & E3).
  destruct (off_by_nearest _ _ _ S1 ltac:(lra) ltac:(lra)) as (S4 & _ & E2).
  pose proof (off_by_quotient _ _ _ _ _ S4 S3 ltac:(lra) ltac:(lra) ltac:(lra)) as S5.
  set (q := nearest a / nearest (IZR m)) in *.
  assert (/ 2 ^ 61 <= T / IZR m <= 2 ^ 123) as HQ by (split; [apply (Rle_div_r _ T)|apply Rle_div_l]; lra).
  destruct (off_by_nearest _ _ _ S5 ltac:(lra) ltac:(lra)) as (S7 & R7 & E6).
  pose proof (sqrt_off_by _ _ _ S7 ltac:(lra) ltac:(lra)) as S8.
  assert (/ 2 ^ 61 <= sqrt (T / IZR m) <= 2 ^ 123) as Hs.
  { rewrite <- (sqrt_square (/ 2 ^ 61)), <- (sqrt_square (2 ^ 123)) by lra. split; apply sqrt_le_1_alt; lra. }
  destruct (off_by_nearest _ _ _ S8 ltac:(lra) ltac:(lra)) as ([A9 B9] & R9 & E9).
  exists (nearest (sqrt (nearest q))). split; [|split; [lra|]].
  - unfold radius_code, int, float. cbn [run as_double]. rewrite E0. cbn [as_double option_map].
    destruct (Rlt_dec 0 (nearest (IZR k))) as [_|N]; [|lra].
    cbn [option_map arithmetic]. unfold on_doubles. cbn [as_double]. fold a. rewrite E2.
    cbn [option_map quotient]. unfold on_doubles. cbn [as_double]. rewrite E3. unfold divided.
    destruct (Req_EM_T _ 0) as [N|_]; [lra|]. fold q. rewrite E6.
    cbn [option_map as_double]. destruct (Rle_dec 0 (nearest q)) as [_|N]; [|lra]. now rewrite E9.
  - replace (/ 2 ^ 40) with (8192 * u) by (unfold u; lra).
    split; [eapply Rle_trans; [|exact A9]|eapply Rle_trans; [exact B9|]]; apply Rmult_le_compat_r; lra.
Qed.

(** ** The mean *)

Lemma share_range n s : (0 < n)%nat -> (s <= n)%nat -> 0 <= INR s / INR n <= 1.
Proof.
  intros Hn Hs. pose proof (lt_0_INR n Hn). apply le_INR in Hs. split; [positive; apply pos_INR|apply Rle_div_l; lra].
Qed.

Lemma mean_runs n s : (0 < n)%nat -> (s <= n)%nat -> run log (mean_of n s) = Some (Float (nearest (INR s / INR n))).
Proof.
  intros Hn Hs. pose proof (lt_0_INR n Hn). cbn. unfold divided. rewrite <- !INR_IZR_INZ.
  destruct (Req_EM_T (INR n) 0) as [N|_]; [lra|]. pose proof (share_range n s Hn Hs).
  rewrite rounded_at; [reflexivity|]. rewrite Rabs_pos_eq by lra. apply Rle_trans with 1; [lra|]. apply pow_R1_Rle. lra.
Qed.

Lemma half_runs : run log half_code = Some (Float (1/2)).
Proof.
  cbn. unfold divided. destruct (Req_EM_T 2 0) as [N|_]; [lra|]. rewrite rounded_at.
  - now rewrite (nearest_double _ half_is_double).
  - rewrite Rabs_pos_eq by lra. apply Rle_trans with 1; [lra|]. apply pow_R1_Rle. lra.
Qed.

Definition difference (x : R) : R := nearest (nearest x - 1/2).

Lemma mean_range x : 0 <= x <= 1 -> 0 <= nearest x <= 1.
Proof.
  intro H. split; [rewrite <- nearest_0; now apply nearest_mono|]. apply (nearest_power_le 0); [lia|exact (proj2 H)].
Qed.

Lemma distance_runs n s : (0 < n)%nat -> (s <= n)%nat ->
  run log (distance_code (mean_of n s)) = Some (Float (Rabs (difference (INR s / INR n)))).
Proof.
  intros Hn Hs. pose proof (mean_range _ (share_range n s Hn Hs)). unfold distance_code. cbn [run].
  rewrite (mean_runs n s Hn Hs), half_runs. cbn [arithmetic]. unfold on_doubles. cbn [as_double].
  rewrite rounded_at; [reflexivity|]. apply Rle_trans with 1; [apply Rabs_le; lra|]. apply pow_R1_Rle. lra.
Qed.

(** The sign is right, and the error at most 2^-54: from a mean of 1/4 on the difference is exact. *)
Lemma difference_error x : 0 <= x <= 1 ->
  Rabs (difference x - (x - 1/2)) <= / 2 ^ 54 /\ Rabs (difference x) <= 1/2 /\
  (1/2 <= nearest x -> 0 <= difference x) /\ (nearest x <= 1/2 -> difference x <= 0).
Proof.
  intro Hx. pose proof (mean_range x Hx) as Hm. unfold difference. repeat split.
  - destruct (Rle_lt_dec (/ 4) x) as [Q|Q].
    + assert (/ 4 <= nearest x) as M by (apply (nearest_power_ge (-2)); [lia|simpl; lra]).
      rewrite (nearest_double (nearest x - 1/2)).
      2:{ apply sterbenz; try typeclasses eauto; [apply is_double_nearest|apply half_is_double|lra]. }
      replace (nearest x - 1/2 - (x - 1/2)) with (nearest x - x) by ring. apply (nearest_error 0); [lia|].
      apply Rabs_le. lra.
    + pose proof (nearest_error 2 x ltac:(lia)) as A. pose proof (nearest_error 1 (nearest x - 1/2) ltac:(lia)) as B.
      specialize (A ltac:(apply Rabs_le; simpl pow; lra)). specialize (B ltac:(apply Rabs_le; simpl pow; lra)).
      apply Rabs_le_inv in A, B. apply Rabs_le. simpl plus in *. lra.
  - replace (1/2) with (bpow radix2 (-1)) at 2 by (simpl; lra). apply abs_round_le_generic; try typeclasses eauto.
    + now apply power_is_double.
    + simpl. apply Rabs_le. lra.
  - intro H. rewrite <- nearest_0. apply nearest_mono. lra.
  - intro H. rewrite <- nearest_0. apply nearest_mono. lra.
Qed.

Lemma code_ahead_is n s : (0 < n)%nat -> (s <= n)%nat ->
  code_ahead log n s = Some (above (nearest (INR s / INR n)) (1/2)).
Proof. intros Hn Hs. unfold code_ahead, compared. now rewrite mean_runs, half_runs. Qed.

Lemma code_stops_is d n s : held d -> counted n s -> exists r, off_by (/ 2 ^ 40) (c_radius n d) r /\
  code_stops log log_inverse d n s = Some (above (Rabs (difference (INR s / INR n))) r).
Proof.
  intros Hd (Hn & Hs & HN). assert (1 <= INR n) as N1 by (apply (le_INR 1); lia).
  assert (IZR (2 * Z.of_nat n * (Z.of_nat n + 1)) = 2 * INR n * (INR n + 1)) as K
    by now rewrite !mult_IZR, plus_IZR, <- INR_IZR_INZ.
  destruct (radius_runs (2 * Z.of_nat n * (Z.of_nat n + 1)) n d Hd) as (r & E & _ & W); auto.
  { rewrite K. split; [nra|]. apply Rle_trans with (2 * 2 ^ 60 * (2 ^ 60 + 1)); [apply Rmult_le_compat|]; lra. }
  rewrite K in W. exists r. split; [exact W|].
  unfold code_stops, compared. rewrite distance_runs by assumption. change (run log (c_code _ _))
    with (run log (radius_code (2 * Z.of_nat n * (Z.of_nat n + 1)) (2 * Z.of_nat n) (log_inverse d))). now rewrite E.
Qed.

Lemma gap_near g : 0 < g <= 1/2 -> Rabs (nearest g - g) <= / 2 ^ 55 /\ 0 <= nearest g <= 1/2.
Proof.
  intro Hg. split; [apply (nearest_error 1); [lia|rewrite Rabs_pos_eq; simpl pow; lra]|]. split.
  - rewrite <- nearest_0. apply nearest_mono. lra.
  - rewrite <- (nearest_double _ half_is_double). now apply nearest_mono.
Qed.

Lemma code_budgeted_stops_is g d n s : 0 < g <= 1/2 -> held d -> counted_52 n s ->
  exists b, off_by (/ 2 ^ 40) (b_radius n d) b /\ 0 <= b /\
  code_budgeted_stops log log_inverse g d n s
  = Some (above (Rabs (difference (INR s / INR n))) (nearest (b - nearest g))).
Proof.
  intros Hg Hd (Hn & Hs & HN). assert (1 <= INR n) as N1 by (apply (le_INR 1); lia).
  assert (IZR (8 * Z.of_nat n ^ 2) = 8 * (INR n * INR n)) as K by now rewrite Z.pow_2_r, !mult_IZR, <- INR_IZR_INZ.
  destruct (radius_runs (8 * Z.of_nat n ^ 2) n d Hd) as (b & E & Hb & W); auto; [rewrite K; split; [nra|]|lra|].
  { apply Rle_trans with (8 * (2 ^ 52 * 2 ^ 52)); [|lra]. apply Rmult_le_compat_l; [lra|apply Rmult_le_compat; lra]. }
  rewrite K in W. exists b. split; [exact W|]. split; [apply Hb|]. destruct (gap_near g Hg) as [_ G].
  unfold code_budgeted_stops, compared. rewrite distance_runs by assumption. unfold threshold_code, float in *.
  cbn [run]. change (run log (b_code _ _))
    with (run log (radius_code (8 * Z.of_nat n ^ 2) (2 * Z.of_nat n) (log_inverse d))).
  rewrite E. cbn [arithmetic]. unfold on_doubles. cbn [as_double]. rewrite rounded_at; [reflexivity|]. apply Rabs_le.
  lra.
Qed.

(** Up to 2^52 duels a mean below 1/2 is below it by 2^-53 at least, and so is the float. *)
Lemma code_budgeted_ahead_is n s : counted_52 n s -> code_budgeted_ahead log n s = Some (ahead n s).
Proof.
  intros (Hn & Hs & HN). unfold code_budgeted_ahead, compared. rewrite mean_runs, half_runs by assumption. f_equal.
  pose proof (share_range n s Hn Hs) as Hx. assert (0 < INR n) as N0 by now apply lt_0_INR. unfold at_least, ahead.
  assert (INR s / INR n * INR n = INR s) as E by (field; lra). set (x := INR s / INR n) in *.
  destruct (Rle_dec (1/2) x) as [H|H], (Rle_dec (1/2) (nearest x)) as [K|K]; try reflexivity; exfalso.
  - apply K. rewrite <- (nearest_double _ half_is_double). now apply nearest_mono.
  - assert (2 * s < n)%nat as L by (apply INR_lt; rewrite mult_INR; simpl (INR 2); nra).
    assert (2 * INR s + 1 <= INR n) as L' by (apply le_INR in L; rewrite S_INR, mult_INR in L; simpl (INR 2) in L; lra).
    assert (x <= 1/2 - / 2 ^ 53) as X.
    { apply Rmult_le_reg_r with (INR n); [exact N0|]. lra. }
    pose proof (nearest_error 1 x ltac:(lia) ltac:(rewrite Rabs_pos_eq; simpl pow; lra)) as B. apply Rabs_le_inv in B.
    simpl plus in B. lra.
Qed.
End Proofs.

Theorem float_dueltest : float_dueltest_statement.
Proof.
  intros log log_inverse Near. split.
  { intros d n s Hd Hn. destruct (code_stops_is log log_inverse Near d n s Hd Hn) as (r & _ & ->).
    rewrite code_ahead_is by apply Hn. split; discriminate. }
  apply rounded_rule_admissible. intros d n s Hd Hn.
  destruct (code_stops_is log log_inverse Near d n s Hd Hn) as (r & [W1 W2] & E).
  unfold code_rule. rewrite E, code_ahead_is by apply Hn. set (x := INR s / INR n).
  destruct (difference_error x) as (A & _ & P & M); [apply share_range; apply Hn|]. apply Rabs_le_inv in A.
  unfold above. destruct (Rlt_dec r _) as [S|S]; [destruct (Rlt_dec (1/2) _) as [Q|Q]|];
    (split; [|split]); intro H; try discriminate.
  - specialize (P ltac:(lra)). rewrite Rabs_pos_eq in S by exact P. lra.
  - specialize (M ltac:(lra)). rewrite Rabs_left1 in S by exact M. lra.
  - assert (Rabs (difference x) <= r) by lra. apply Rabs_le. apply Rabs_le_inv in H0. lra.
Qed.

Theorem float_budgeted : float_budgeted_statement.
Proof.
  intros log log_inverse Near. split.
  { intros g d n s Hg Hd Hn.
    destruct (code_budgeted_stops_is log log_inverse Near g d n s Hg Hd Hn) as (b & _ & _ & ->).
    rewrite code_budgeted_ahead_is by exact Hn. split; discriminate. }
  apply (rounded_budgeted_admissible (code_budgeted log log_inverse)); cbn [bstop bvote bbudget code_budgeted].
  { reflexivity. }
  { intros n s Hn. now rewrite code_budgeted_ahead_is. }
  intros g d n s Hg Hd Hn.
  destruct (code_budgeted_stops_is log log_inverse Near g d n s Hg Hd Hn) as (b & [W _] & B0 & ->).
  rewrite code_budgeted_ahead_is by exact Hn. assert (0 <= INR s / INR n <= 1) as Hx by (apply share_range; apply Hn).
  destruct (ahead_spec n s) as [At Af]. set (x := INR s / INR n) in *.
  destruct (difference_error x Hx) as (A & H & P & M). destruct (gap_near g Hg) as [G1 G2]. apply Rabs_le_inv in A, G1.
  unfold above. destruct (Rlt_dec _ _) as [S|]; [|split; discriminate].
  assert (b - nearest g <= 1/2) as T.
  { apply Rnot_lt_le. intro K. apply Rlt_le, nearest_mono in K. rewrite (nearest_double _ half_is_double) in K. lra. }
  pose proof (nearest_error 1 (b - nearest g) ltac:(lia) ltac:(apply Rabs_le; simpl pow; lra)) as E.
  apply Rabs_le_inv in E. simpl plus in E.
  assert (nearest (1/2) = 1/2) as Half by apply (nearest_double _ half_is_double).
  split; intro Q; injection Q as Q; split; try exact Q.
  - specialize (At Q). apply nearest_mono in At. rewrite Half in At. specialize (P At).
    rewrite Rabs_pos_eq in S by exact P. lra.
  - specialize (Af Q). apply nearest_mono in Af. rewrite Half in Af.
    specialize (M Af). rewrite Rabs_left1 in S by exact M. lra.
Qed.

Theorem rounded_logs_are_near : rounded_logs_are_near_statement.
Proof.
  assert (forall x, near (nearest x) x) as N; [|split; intros; apply N].
  intro x. unfold near. eapply Rle_trans; [apply error_le_half_ulp; typeclasses eauto|].
  pose proof (ulp_ge_0 radix2 double_exp x). unfold last_place. lra.
Qed.
