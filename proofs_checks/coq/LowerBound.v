(** * How few duels any algorithm needs (not in the paper)

    An algorithm finds the Condorcet winner at level [delta], on an instance and where another arm wins
    instead.  On every arm but the winner it spends at least kl(delta, 1 - delta) over the largest
    divergence, from a fair coin, of a pair that this arm loses.  No pair is lost by both of its arms, so
    all arms together cost the sum.  By change of measure (Kaufmann, Cappe and Garivier 2016), by
    induction on the decision tree.

    Randomised algorithms are programs that toss coins.  An arm against itself is a fair coin, and arms
    from N on, of which nothing is asked, are coins of any bias.  These duels are not counted. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith.
From Coquelicot Require Import Coquelicot.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest.
Open Scope R_scope.

(** The divergence of a coin [p] from a coin [q]. *)
Definition KL (p q : R) : R := p * ln (p / q) + (1 - p) * ln ((1 - p) / (1 - q)).

(** The least of [f] at 0..n-1, or 1 if all are larger. *)
Fixpoint lowest (f : arm -> R) (n : nat) : R := match n with O => 1 | S n' => Rmin (lowest f n') (f n') end.

(** A duel of two different arms of 0..N-1. *)
Definition counts (N : nat) (u v : arm) : bool := negb (Nat.eqb u v) && Nat.ltb u N && Nat.ltb v N.

(** As the horizon [F] grows, the answer is [w] with probability at least [1 - delta]; the expected number of duels
    that count is at most [bound] at every horizon, and so in the limit. *)
Definition finds_within (P : arm -> arm -> R) N w (run : nat -> prog (option arm)) (delta bound : R) : Prop :=
  (forall F, expected_regret P (counts N) (run F) <= bound) /\ returns_with P w run (1 - delta).

(** Upper bounds count all duels. *)
Definition identifies_finds_statement : Prop := forall P N w run delta bound,
  valid P -> identifies P w run delta bound -> finds_within P N w run delta bound.

(** An instance whose winner is [w]; the other arms may tie. *)
Definition has_winner (P : arm -> arm -> R) (N : nat) (w : arm) : Prop :=
  valid P /\ (forall u v, 0 < P u v < 1) /\ (w < N)%nat /\ forall j, (j < N)%nat -> j <> w -> 1/2 < P w j.

(** Instance [P], but arm [i] beats [j] with probability [f j]. *)
Definition with_row (P : arm -> arm -> R) (N : nat) (i : arm) (f : arm -> R) (u v : arm) : R :=
  if counts N u v then (if Nat.eqb u i then f v else if Nat.eqb v i then 1 - f u else P u v) else P u v.

(** A duel that does not count is the same coin in all of them, fair if [u = v], and costs nothing. *)
Definition coins_are_free_statement : Prop := forall P N i f u v (k : bool -> prog (option arm)),
  counts N u v = false ->
  let p := P u v in let cost (m : prog (option arm)) := expected_regret P (counts N) m in
  (valid P -> u = v -> p = 1/2) /\ with_row P N i f u v = p /\
  cost (Duel u v k) = p * cost (k true) + (1 - p) * cost (k false).

(** The alternatives in which [i] is the winner, since it wins every duel with probability [q] at least. *)
Definition raised (P : arm -> arm -> R) (N : nat) (i : arm) (q : R) : arm -> arm -> R :=
  with_row P N i (fun j => Rmax (P i j) q).

(** [g] is 0, or a gap that the algorithm is told: it need be right only if the winner beats all others by more. *)
Definition least (P : arm -> arm -> R) (N : nat) (w : arm) (g delta : R) : R :=
  sm (fun i => if Nat.eqb i w then 0 else KL delta (1 - delta) / KL (lowest (P i) N) (1/2 + g)) N.

Definition lower_bound_statement : Prop := forall P N w g run delta bound,
  has_winner P N w -> 0 <= g < 1/2 -> 0 < delta <= 1/2 ->
  (* the algorithm finds the winner of the instance ... *)
  finds_within P N w run delta bound ->
  (* ... and on each alternative is wrong with probability at most [delta] *)
  (forall i q F, (i < N)%nat -> i <> w -> 1/2 + g < q < 1 -> Pr (raised P N i q) (run F) (wrong i) <= delta) ->
  (* a duel of two losers that are nearer than [g] tells something of both of them *)
  least P N w g delta / 2 <= bound /\
  ((forall u v, (u < N)%nat -> (v < N)%nat -> u <> v -> u <> w -> v <> w -> g <= Rabs (P u v - 1/2)) ->
   least P N w g delta <= bound).

(** The alternatives are instances with the winner [i] and its gap.  Their other pairs are as before, so that an
    assumption on all gaps still holds. *)
Definition raised_is_instance_statement : Prop := forall P N i q,
  valid P -> (forall u v, 0 < P u v < 1) -> 1/2 < q < 1 -> (i < N)%nat ->
  has_winner (raised P N i q) N i /\ condorcet (raised P N i q) N i (q - 1/2) /\
  forall u v, raised P N i q u v = P u v \/ q - 1/2 <= Rabs (raised P N i q u v - 1/2).

(** Without the assumption that there is a winner, an algorithm must also be right where [w] ties with one arm.  It
    then may do anything but answer [w]: find out that there is no winner, or never stop. *)
Definition tied_with (P : arm -> arm -> R) (N : nat) (w j : arm) : arm -> arm -> R :=
  with_row P N j (fun k => if Nat.eqb k w then 1/2 else P j k).

Definition lower_bound_assuming_nothing_statement : Prop := forall P N w run delta bound,
  has_winner P N w -> 0 < delta <= 1/2 -> finds_within P N w run delta bound ->
  (forall j F, (j < N)%nat -> j <> w -> Pr (tied_with P N w j) (run F) (is_arm w) <= delta) ->
  sm (fun j => if Nat.eqb j w then 0 else KL delta (1 - delta) / KL (P w j) (1/2)) N <= bound.

Definition tied_is_instance_statement : Prop := forall P N w j,
  has_winner P N w -> (j < N)%nat -> j <> w ->
  valid (tied_with P N w j) /\ (forall u v, 0 < tied_with P N w j u v < 1) /\ tied_with P N w j w j = 1/2 /\
  forall u v, tied_with P N w j u v = P u v \/ (u = w /\ v = j) \/ (u = j /\ v = w).

(** * Proofs *)

(** ** Expected sums over the duels of a run *)

Fixpoint weighed {A} (P : arm -> arm -> R) (c : arm -> arm -> R) (m : prog A) : R :=
  match m with
  | Ret _ => 0
  | Ask _ u v k => c u v + (P u v * weighed P c (k true) + (1 - P u v) * weighed P c (k false))
  end.

Section Weighed.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Context {A : Type}.

Lemma weighed_mono (m : prog A) c c' : (forall u v, c u v <= c' u v) -> weighed P c m <= weighed P c' m.
Proof.
  intro H. induction m as [a|t u v k IH]; cbn; [lra|]. apply Rplus_le_compat; [apply H|].
  apply conv_mono; auto.
Qed.
Lemma weighed_plus (m : prog A) c c' :
  weighed P (fun u v => c u v + c' u v) m = weighed P c m + weighed P c' m.
Proof. induction m as [a|t u v k IH]; cbn; [lra|]. rewrite !IH. ring. Qed.
Lemma weighed_scal (m : prog A) a c : weighed P (fun u v => a * c u v) m = a * weighed P c m.
Proof. induction m as [b|t u v k IH]; cbn; [lra|]. rewrite !IH. ring. Qed.
Lemma weighed_ET (m : prog A) : weighed P (fun _ _ => 1) m = ET P m.
Proof. induction m as [a|t u v k IH]; cbn; [lra|]. now rewrite !IH. Qed.
Lemma weighed_regret (m : prog A) (f : arm -> arm -> bool) :
  weighed P (fun u v => if f u v then 1 else 0) m = expected_regret P f m.
Proof. induction m as [a|t u v k IH]; cbn; [lra|]. now rewrite !IH. Qed.
Lemma weighed_zero (m : prog A) : weighed P (fun _ _ => 0) m = 0.
Proof. induction m as [a|t u v k IH]; cbn; [lra|]. rewrite !IH. ring. Qed.
Lemma weighed_sm (m : prog A) (c : nat -> arm -> arm -> R) n :
  weighed P (fun u v => sm (fun i => c i u v) n) m = sm (fun i => weighed P (c i) m) n.
Proof.
  induction n as [|n IH]; cbn [sm]; [apply weighed_zero|].
  rewrite <- IH. apply (weighed_plus m (fun u v => sm (fun i => c i u v) n) (c n)).
Qed.
End Weighed.

(** ** Change of measure *)

Lemma jensen_ln p x y : 0 < p < 1 -> 0 < x -> 0 < y -> p * ln x + (1 - p) * ln y <= ln (p * x + (1 - p) * y).
Proof.
  intros Hp Hx Hy. set (z := p * x + (1 - p) * y). assert (0 < z) as Hz by (unfold z; nra).
  pose proof (ln_tangent x z Hx Hz) as A. pose proof (ln_tangent y z Hy Hz) as B.
  assert (p * (x / z) + (1 - p) * (y / z) = 1) as C by (unfold z in *; field; lra).
  assert (p * ln x <= p * (x / z + ln z - 1)) by (apply Rmult_le_compat_l; lra).
  assert ((1 - p) * ln y <= (1 - p) * (y / z + ln z - 1)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Section Measure.
Variables P P' : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 < P u v < 1.
Hypothesis P'01 : forall u v, 0 < P' u v < 1.
Context {A : Type}.
Variable f : A -> R.

Lemma E_exp_pos (m : prog A) : 0 < expect P' m (fun a => exp (f a)).
Proof.
  induction m as [a|t u v k IH]; cbn; [apply exp_pos|]. pose proof (P'01 u v).
  pose proof (IH true). pose proof (IH false). nra.
Qed.

Lemma change_of_measure (m : prog A) :
  expect P m f - ln (expect P' m (fun a => exp (f a))) <= weighed P (fun u v => KL (P u v) (P' u v)) m.
Proof.
  induction m as [a|t u v k IH]; [cbn; rewrite ln_exp; lra|]. pose proof (E_exp_pos (k true)) as X.
  pose proof (E_exp_pos (k false)) as Y. cbn [expect weighed]. pose proof (IH true) as I1. pose proof (IH false) as I0.
  set (B1 := expect P' (k true) (fun a => exp (f a))) in *. set (B0 := expect P' (k false) (fun a => exp (f a))) in *.
  set (w1 := weighed P _ (k true)) in *. set (w0 := weighed P _ (k false)) in *. pose proof (P01 u v) as Hp.
  pose proof (P'01 u v) as Hq. set (p := P u v) in *. set (q := P' u v) in *.
  assert (0 < q / p) as Q1 by (apply Rdiv_lt_0_compat; lra).
  assert (0 < (1 - q) / (1 - p)) as Q0 by (apply Rdiv_lt_0_compat; lra).
  pose proof (jensen_ln p (q / p * B1) ((1 - q) / (1 - p) * B0) Hp) as J.
  specialize (J (Rmult_lt_0_compat _ _ Q1 X) (Rmult_lt_0_compat _ _ Q0 Y)).
  replace (p * (q / p * B1) + (1 - p) * ((1 - q) / (1 - p) * B0)) with (q * B1 + (1 - q) * B0) in J by (field; lra).
  rewrite !ln_mult in J by lra. unfold KL. replace (p / q) with (/ (q / p)) by (field; lra).
  replace ((1 - p) / (1 - q)) with (/ ((1 - q) / (1 - p))) by (field; lra). rewrite !ln_Rinv by lra.
  assert (p * (expect P (k true) f - ln B1) <= p * w1) by (apply Rmult_le_compat_l; lra).
  assert ((1 - p) * (expect P (k false) f - ln B0) <= (1 - p) * w0) by (apply Rmult_le_compat_l; lra). lra.
Qed.
End Measure.

(** For an event: [t] is free; at its best value the left side is the divergence of the two probabilities. *)
Lemma event_divergence {A} P P' (m : prog A) ev t delta :
  (forall u v, 0 < P u v < 1) -> (forall u v, 0 < P' u v < 1) ->
  0 <= t -> 0 < delta -> Pr P' m ev <= delta ->
  t * Pr P m ev - ln (1 + (exp t - 1) * delta) <= weighed P (fun u v => KL (P u v) (P' u v)) m.
Proof.
  intros H H' Ht Hd Hev. pose proof (change_of_measure P P' H H' (fun a => t * (if ev a then 1 else 0)) m) as C.
  rewrite E_scal in C. fold (Pr P m ev) in C.
  assert (expect P' m (fun a => exp (t * (if ev a then 1 else 0))) = 1 + (exp t - 1) * Pr P' m ev) as Eq.
  { unfold Pr. rewrite <- E_scal. rewrite <- (E_const P' m 1) at 1. rewrite <- E_plus. apply E_ext.
    intro a. destruct (ev a); [rewrite Rmult_1_r|rewrite Rmult_0_r, exp_0]; lra. }
  pose proof (E_exp_pos P' H' (fun a => t * (if ev a then 1 else 0)) m) as Pos. cbv beta in C, Pos.
  rewrite Eq in C, Pos.
  assert (1 <= exp t) by (rewrite <- exp_0; destruct Ht as [Ht|<-]; [left; now apply exp_increasing|lra]).
  assert (ln (1 + (exp t - 1) * Pr P' m ev) <= ln (1 + (exp t - 1) * delta)); [|lra].
  apply ln_le; [exact Pos|]. apply Rplus_le_compat_l. apply Rmult_le_compat_l; lra.
Qed.

(** ** Divergences of coins *)

Lemma KL_ln p q : 0 < p < 1 -> 0 < q < 1 -> KL p q = p * (ln p - ln q) + (1 - p) * (ln (1 - p) - ln (1 - q)).
Proof. intros. unfold KL. now rewrite !ln_div by lra. Qed.
Lemma KL_self p : 0 < p < 1 -> KL p p = 0.
Proof. intro H. rewrite KL_ln by lra. ring. Qed.
Lemma KL_flip p q : KL (1 - p) (1 - q) = KL p q.
Proof. unfold KL. replace (1 - (1 - p)) with p by ring. replace (1 - (1 - q)) with q by ring. ring. Qed.

Lemma KL_pos p q : 0 < p < 1 -> 0 < q < 1 -> p <> q -> 0 < KL p q.
Proof.
  intros Hp Hq H. rewrite KL_ln by lra. assert (0 < q / p) as Q by (apply Rdiv_lt_0_compat; lra).
  assert (ln (q / p) <> 0) as L.
  { intro L. apply H. apply (f_equal exp) in L. rewrite exp_ln, exp_0 in L by lra. apply (f_equal (Rmult p)) in L.
    replace (p * (q / p)) with q in L by (field; lra). lra. }
  pose proof (exp_ineq1 _ L) as A. rewrite exp_ln in A by lra. rewrite ln_div in A by lra.
  pose proof (ln_tangent (1 - q) (1 - p) ltac:(lra) ltac:(lra)) as B.
  apply (Rmult_lt_compat_l p) in A; [|lra]. apply (Rmult_le_compat_l (1 - p)) in B; [|lra].
  replace (p * (q / p)) with q in A by (field; lra).
  replace ((1 - p) * ((1 - q) / (1 - p) + ln (1 - p) - 1)) with (1 - q + (1 - p) * (ln (1 - p) - 1)) in B
    by (field; lra).
  lra.
Qed.

Lemma KL_decreases a p q : 0 < a -> a <= p -> p <= q -> q < 1 -> KL p q <= KL a q.
Proof.
  intros Ha H Hq Hq1. destruct (Req_dec a p) as [->|N]; [lra|].
  pose proof (KL_pos a p ltac:(lra) ltac:(lra) N) as K. rewrite KL_ln in * by lra. rewrite (KL_ln a q) by lra.
  pose proof (ln_le p q ltac:(lra) Hq). pose proof (ln_le (1 - q) (1 - p) ltac:(lra) ltac:(lra)).
  assert (0 <= (p - a) * (ln q - ln p + ln (1 - p) - ln (1 - q))) by (apply Rmult_le_pos; lra). lra.
Qed.

(** A raised coin: [p] is paid for below [q], and raising it on to [q'] costs little. *)
Lemma KL_raised p q q' : 0 < p < 1 -> 0 < q <= q' -> q' < 1 ->
  KL p (Rmax p q') <= (if Rlt_dec p q then KL p q else 0) + (ln (1 - q) - ln (1 - q')).
Proof.
  intros Hp Hq Hq'. pose proof (ln_le (1 - q') (1 - q) ltac:(lra) ltac:(lra)) as L. unfold Rmax.
  destruct (Rle_dec p q') as [H|H]; [|rewrite KL_self by lra; destruct (Rlt_dec p q); lra].
  destruct (Rlt_dec p q) as [h|h]; rewrite !KL_ln by lra.
  - pose proof (ln_le q q' ltac:(lra) ltac:(lra)). nra.
  - pose proof (ln_le p q' ltac:(lra) H). pose proof (ln_le (1 - p) (1 - q) ltac:(lra) ltac:(lra)). nra.
Qed.

Lemma lowest_le f n v : (v < n)%nat -> lowest f n <= f v.
Proof.
  induction n as [|n IH]; intro H; [lia|]. destruct (Nat.eq_dec v n) as [->|]; [apply Rmin_r|].
  eapply Rle_trans; [apply Rmin_l|apply IH; lia].
Qed.
Lemma lowest_pos f n : (forall v, 0 < f v) -> 0 < lowest f n.
Proof. intro H. induction n as [|n IH]; cbn; [lra|]. now apply Rmin_glb_lt. Qed.

(** ** The alternatives *)

Lemma counts_spec N u v : reflect (u <> v /\ (u < N)%nat /\ (v < N)%nat) (counts N u v).
Proof.
  apply iff_reflect. unfold counts. rewrite !andb_true_iff, negb_true_iff, Nat.eqb_neq, !Nat.ltb_lt. tauto.
Qed.

Theorem coins_are_free : coins_are_free_statement.
Proof.
  intros P N i f u v k H p cost. unfold cost, with_row. cbn. rewrite H. repeat split; [|unfold p; ring].
  intros [_ Anti] <-. specialize (Anti u u). unfold p. lra.
Qed.

Lemma with_row_is_instance P N i f : valid P -> (forall u v, 0 < P u v < 1) -> (forall v, 0 < f v < 1) ->
  valid (with_row P N i f) /\ forall u v, 0 < with_row P N i f u v < 1.
Proof.
  intros [_ Anti] H Hf. assert (forall u v, 0 < with_row P N i f u v < 1) as R01.
  { intros u v. pose proof (H u v). pose proof (Hf u). pose proof (Hf v). unfold with_row.
    destruct (counts N u v), (Nat.eqb u i), (Nat.eqb v i); lra. }
  split; [split|exact R01]; [intros u v; specialize (R01 u v); lra|]. intros u v. unfold with_row.
  destruct (counts_spec N u v), (counts_spec N v u); try apply Anti; try (exfalso; intuition congruence).
  destruct (Nat.eqb_spec u i), (Nat.eqb_spec v i); try apply Anti; try lra. exfalso. intuition congruence.
Qed.

Lemma raised_is_valid P N i q : valid P -> (forall u v, 0 < P u v < 1) -> 1/2 < q < 1 ->
  valid (raised P N i q) /\ forall u v, 0 < raised P N i q u v < 1.
Proof.
  intros HP H Hq. apply with_row_is_instance; auto. intro v. pose proof (H i v). unfold Rmax.
  destruct (Rle_dec _ _); lra.
Qed.

Theorem raised_is_instance : raised_is_instance_statement.
Proof.
  intros P N i q HP H Hq Hi. destruct (raised_is_valid P N i q HP H Hq) as [V R01].
  assert (forall j, (j < N)%nat -> j <> i -> q <= raised P N i q i j) as Win.
  { intros j Hj Hji. unfold raised, with_row. destruct (counts_spec N i j); [|intuition congruence].
    rewrite Nat.eqb_refl. apply Rmax_r. }
  split; [|split].
  - split; [|split; [|split]]; auto. intros j Hj Hji. specialize (Win j Hj Hji). lra.
  - destruct V as [V01 Anti]. split; auto. intros j Hj Hji. specialize (Win j Hj Hji). lra.
  - intros u v. destruct HP as [_ Anti]. unfold raised, with_row. destruct (counts N u v); [|auto]. unfold Rmax.
    destruct (Nat.eqb_spec u i) as [->|]; [|destruct (Nat.eqb_spec v i) as [->|]; [|auto]]; destruct (Rle_dec _ _).
    + right. rewrite Rabs_right; lra.
    + auto.
    + right. rewrite Rabs_left1; lra.
    + left. rewrite (Anti i u). lra.
Qed.

Theorem tied_is_instance : tied_is_instance_statement.
Proof.
  intros P N w j (HP & H & Hw & _) Hj Hjw. pose proof HP as [_ Anti].
  destruct (with_row_is_instance P N j (fun k => if Nat.eqb k w then 1/2 else P j k)) as [V R01]; auto.
  { intro v. specialize (H j v). destruct (Nat.eqb v w); lra. }
  split; [exact V|]. split; [exact R01|]. unfold tied_with, with_row. split.
  - destruct (counts_spec N w j); [|intuition congruence]. destruct (Nat.eqb_spec w j); [congruence|].
    rewrite !Nat.eqb_refl. lra.
  - intros u v. destruct (counts N u v); [|auto].
    destruct (Nat.eqb_spec u j) as [->|]; [|destruct (Nat.eqb_spec v j) as [->|]; [|auto]].
    + destruct (Nat.eqb_spec v w); auto.
    + destruct (Nat.eqb_spec u w); [auto|]. left. rewrite (Anti j u). lra.
Qed.

(** What arm [i] is paid for a duel, if an arm [u] is paid [x u v] for a duel with [v]. *)
Definition paid (x : arm -> arm -> R) (N : nat) (i u v : arm) : R :=
  if counts N u v then (if Nat.eqb i u then x u v else 0) + (if Nat.eqb i v then x v u else 0) else 0.

Lemma row_divergence P N i f D x eta : valid P -> (forall u v, 0 < P u v < 1) -> (forall u v, 0 <= x u v) -> 0 < D ->
  0 < eta -> (forall v, (v < N)%nat -> v <> i -> KL (P i v) (f v) <= D * x i v + eta) ->
  forall u v, KL (P u v) (with_row P N i f u v) <= D * paid x N i u v + eta.
Proof.
  intros [_ Anti] H Hx HD He Row u v. unfold with_row, paid. rewrite (Nat.eqb_sym i u), (Nat.eqb_sym i v).
  destruct (counts_spec N u v) as [(E & Hu & Hv)|]; [|rewrite KL_self by auto; lra].
  destruct (Nat.eqb_spec u i) as [->|]; destruct (Nat.eqb_spec v i) as [->|]; [congruence| | |].
  - rewrite Rplus_0_r. auto.
  - rewrite (Anti i u), KL_flip, Rplus_0_l. auto.
  - rewrite KL_self by auto. lra.
Qed.

Lemma sm_zero n : sm (fun _ => 0) n = 0.
Proof. induction n; cbn [sm]; lra. Qed.
Lemma sm_single (x : R) u n : 0 <= x -> sm (fun i => if Nat.eqb i u then x else 0) n <= x.
Proof.
  intro Hx. assert (sm (fun i => if Nat.eqb i u then x else 0) n = if Nat.ltb u n then x else 0) as ->.
  { induction n as [|n IH]; [reflexivity|]. cbn [sm].
    destruct (Nat.eqb_spec n u); destruct (Nat.ltb_spec u n); destruct (Nat.ltb_spec u (S n)); try lia; lra. }
  destruct (Nat.ltb u n); lra.
Qed.

(** All arms together; the winner is not paid. *)
Lemma paid_sum (x : arm -> arm -> R) N w u v C : (forall u v, 0 <= x u v) ->
  (u <> v -> (u < N)%nat -> (v < N)%nat ->
   (if Nat.eqb u w then 0 else x u v) + (if Nat.eqb v w then 0 else x v u) <= C) ->
  sm (fun i => if Nat.eqb i w then 0 else paid x N i u v) N <= C * (if counts N u v then 1 else 0).
Proof.
  intros Hx H. unfold paid. destruct (counts_spec N u v) as [(E & Hu & Hv)|].
  - specialize (H E Hu Hv). set (a := if Nat.eqb u w then 0 else x u v) in *.
    set (b := if Nat.eqb v w then 0 else _) in *.
    eapply Rle_trans; [apply (sm_le _ (fun i => (if Nat.eqb i u then a else 0) + (if Nat.eqb i v then b else 0)))|].
    + intros i _. subst a b. destruct (Nat.eqb_spec i u) as [Iu|], (Nat.eqb_spec i v) as [Iv|]; try congruence;
        rewrite ?Iu, ?Iv; destruct (Nat.eqb u w), (Nat.eqb v w), (Nat.eqb i w); lra.
    + assert (0 <= a) as A by (subst a; destruct (Nat.eqb u w); [lra|apply Hx]).
      assert (0 <= b) as B by (subst b; destruct (Nat.eqb v w); [lra|apply Hx]).
      rewrite sm_plus. pose proof (sm_single a u N A). pose proof (sm_single b v N B). lra.
  - eapply Rle_trans; [apply (sm_le _ (fun _ => 0))|rewrite sm_zero; lra]. intros i _. destruct (Nat.eqb i w); lra.
Qed.

(** ** The bound *)

Definition best (delta : R) : R := 2 * ln ((1 - delta) / delta).
Lemma best_nonneg delta : 0 < delta <= 1/2 -> 0 <= best delta.
Proof.
  intro Hd. unfold best. assert (0 <= ln ((1 - delta) / delta)); [|lra]. rewrite <- ln_1. apply ln_le; [lra|].
  apply (Rle_div_r 1); lra.
Qed.
Lemma best_value delta : 0 < delta <= 1/2 ->
  best delta * (1 - delta) - ln (1 + (exp (best delta) - 1) * delta) = KL delta (1 - delta).
Proof.
  intro Hd. assert (0 < (1 - delta) / delta) as Q by (apply Rdiv_lt_0_compat; lra).
  assert (exp (best delta) = (1 - delta) / delta * ((1 - delta) / delta)) as ->.
  { unfold best.
    replace (2 * ln ((1 - delta) / delta)) with (ln ((1 - delta) / delta) + ln ((1 - delta) / delta)) by ring.
    rewrite exp_plus, exp_ln by exact Q. reflexivity. }
  replace (1 + ((1 - delta) / delta * ((1 - delta) / delta) - 1) * delta) with ((1 - delta) / delta) by (field; lra).
  unfold KL, best. replace (1 - (1 - delta)) with delta by ring.
  replace (delta / (1 - delta)) with (/ ((1 - delta) / delta)) by (field; lra). rewrite ln_Rinv by exact Q. ring.
Qed.

(** An arm that is not [i] is wrong where [i] is the winner. *)
Lemma other_is_wrong P (P01 : forall u v, 0 < P u v < 1) (m : prog (option arm)) w i :
  i <> w -> Pr P m (is_arm w) <= Pr P m (wrong i).
Proof.
  intro H. apply E_mono; [intros u v; pose proof (P01 u v); lra|].
  intros [x|]; cbn; [|lra]. destruct (Nat.eqb_spec x w); destruct (Nat.eqb_spec x i); cbn; try lra. congruence.
Qed.

Lemma le_with_slack a b T : 0 <= T -> (forall eta, 0 < eta -> a <= b + eta * T) -> a <= b.
Proof.
  intros HT H. apply le_epsilon. intros e He. eapply Rle_trans; [apply (H (e / (T + 1))); positive|].
  apply Rplus_le_compat_l. apply Rle_trans with (e / (T + 1) * (T + 1)); [|right; field; lra].
  apply Rmult_le_compat_l; [positive|lra].
Qed.

(** From the alternatives to the whole, where the two arms of a duel are paid [C] at most. *)
Lemma arms_pay P N w run delta bound (D : arm -> R) (x : arm -> arm -> R) C :
  valid P -> (forall u v, 0 < P u v < 1) -> 0 < delta <= 1/2 -> finds_within P N w run delta bound -> 0 <= C ->
  (forall u v, 0 <= x u v) -> (forall i, (i < N)%nat -> i <> w -> 0 < D i) ->
  (forall u v, u <> v -> (u < N)%nat -> (v < N)%nat ->
   (if Nat.eqb u w then 0 else x u v) + (if Nat.eqb v w then 0 else x v u) <= C) ->
  (forall i eta, (i < N)%nat -> i <> w -> 0 < eta -> exists f,
    (forall v, 0 < f v < 1) /\ (forall F, Pr (with_row P N i f) (run F) (is_arm w) <= delta) /\
    forall v, (v < N)%nat -> v <> i -> KL (P i v) (f v) <= D i * x i v + eta) ->
  sm (fun i => if Nat.eqb i w then 0 else KL delta (1 - delta) / D i) N <= C * bound.
Proof.
  intros HP H Hd (Cost & _ & p & Lim & Hp) HC Hx HD Once Alt.
  pose proof (valid_01 P HP) as P01. pose proof (best_nonneg delta Hd) as Ht.
  pose proof (best_value delta Hd) as Value.
  set (t := best delta) in *. set (l := ln (1 + (exp t - 1) * delta)) in *. set (a F := Pr P (run F) (is_arm w)) in *.
  assert (forall i F, (i < N)%nat -> i <> w -> t * a F - l <= D i * weighed P (paid x N i) (run F)) as Pays.
  { intros i F Hi Hiw. apply (le_with_slack _ _ (ET P (run F))); [now apply ET_nonneg|]. intros eta He.
    destruct (Alt i eta Hi Hiw He) as (f & Hf & Err & Row).
    destruct (with_row_is_instance P N i f HP H Hf) as [_ Q01].
    eapply Rle_trans; [apply (event_divergence P _ (run F) (is_arm w) t delta H Q01); auto; lra|].
    rewrite <- weighed_ET, <- !weighed_scal, <- weighed_plus. apply weighed_mono; auto. intros u v. rewrite Rmult_1_r.
    apply row_divergence; auto. }
  set (S := sm (fun i => if Nat.eqb i w then 0 else / D i) N).
  assert (forall F, (t * a F - l) * S <= C * bound) as All.
  { intro F. apply Rle_trans with (C * expected_regret P (counts N) (run F)); [|now apply Rmult_le_compat_l].
    unfold S. rewrite <- sm_scal, <- weighed_regret, <- weighed_scal.
    apply Rle_trans with (weighed P (fun u v => sm (fun i => if Nat.eqb i w then 0 else paid x N i u v) N) (run F)).
    2: { apply weighed_mono; auto. intros u v. apply paid_sum; auto. }
    rewrite (weighed_sm P (run F) (fun i u v => if Nat.eqb i w then 0 else paid x N i u v)). apply sm_le.
    intros i Hi. destruct (Nat.eqb_spec i w) as [|Hiw]; [rewrite weighed_zero; lra|]. specialize (HD i Hi Hiw).
    apply Rmult_le_reg_r with (D i); [exact HD|]. rewrite Rmult_assoc, Rinv_l by lra. specialize (Pays i F Hi Hiw).
    change (fun u v => paid x N i u v) with (paid x N i). lra. }
  assert (0 <= S) as S0.
  { apply Rle_trans with (sm (fun _ => 0) N); [rewrite sm_zero; lra|]. apply sm_le.
    intros i Hi. destruct (Nat.eqb_spec i w); [lra|]. left. apply Rinv_0_lt_compat. now apply HD. }
  assert ((t * p - l) * S <= C * bound) as Final.
  { apply (is_lim_seq_le (fun F => (t * a F - l) * S) (fun _ => C * bound) ((t * p - l) * S) (C * bound));
    auto using is_lim_seq_const.
    apply (is_lim_seq_scal_r (fun F => t * a F - l) S (t * p - l)).
    apply is_lim_seq_minus'; [|apply is_lim_seq_const]. exact (is_lim_seq_scal_l a t p Lim). }
  assert (sm (fun i => if Nat.eqb i w then 0 else KL delta (1 - delta) / D i) N = KL delta (1 - delta) * S) as ->.
  { unfold S. rewrite <- sm_scal. clear. induction N as [|N IH]; cbn [sm]; [reflexivity|]. rewrite IH.
    destruct (Nat.eqb N w); unfold Rdiv; ring. }
  eapply Rle_trans; [|exact Final]. apply Rmult_le_compat_r; [exact S0|].
  assert (t * (1 - delta) <= t * p) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Theorem identifies_finds : identifies_finds_statement.
Proof.
  intros P N w run delta bound HP (_ & (Cost & _) & _ & Right). split; [|exact Right]. intro F.
  eapply Rle_trans; [|apply (Cost F)]. rewrite <- weighed_regret, <- weighed_ET.
  apply weighed_mono; [now apply valid_01|]. intros u v. destruct (counts N u v); lra.
Qed.

Theorem lower_bound : lower_bound_statement.
Proof.
  intros P N w g run delta bound (HP & H & Hw & Win) Hg Hd Finds Alt. pose proof HP as [_ Anti].
  set (q := 1/2 + g) in *. set (x u v := if Rlt_dec (P u v) q then 1 else 0).
  assert (forall u v, 0 <= x u v <= 1) as X by (intros u v; unfold x; destruct (Rlt_dec _ _); lra).
  assert (forall C, 0 <= C -> (forall u v, u <> v -> (u < N)%nat -> (v < N)%nat ->
            (if Nat.eqb u w then 0 else x u v) + (if Nat.eqb v w then 0 else x v u) <= C) ->
          least P N w g delta <= C * bound) as Pay.
  { intros C C0 Once. apply (arms_pay P N w run delta bound (fun i => KL (lowest (P i) N) q) x C); auto.
    { intros u v. apply X. }
    - intros i Hi Hiw. pose proof (lowest_pos (P i) N (fun v => proj1 (H i v))).
      pose proof (lowest_le (P i) N w Hw). specialize (Win i Hi Hiw). rewrite (Anti i w) in Win.
      apply KL_pos; unfold q; lra.
    - intros i eta Hi Hiw He. set (q' := 1 - (1 - q) * exp (- eta)).
      assert (0 < exp (- eta) < 1) as Ex by (split; [apply exp_pos|rewrite <- exp_0; apply exp_increasing; lra]).
      assert (q < q' < 1) as Hq' by (unfold q', q; nra). exists (fun j => Rmax (P i j) q'). split; [|split].
      + intro v. pose proof (H i v). unfold Rmax. destruct (Rle_dec _ _); unfold q in Hq'; lra.
      + intro F. destruct (raised_is_valid P N i q' HP H) as [_ R01]; [unfold q in Hq'; lra|].
        eapply Rle_trans; [now apply (other_is_wrong _ R01 (run F) w i)|apply Alt; auto].
      + intros v Hv Hvi. eapply Rle_trans; [apply (KL_raised (P i v) q q'); auto; unfold q in *; lra|].
        replace (1 - q') with ((1 - q) * exp (- eta)) by (unfold q'; ring).
        rewrite ln_mult, ln_exp by (unfold q; lra).
        unfold x. destruct (Rlt_dec (P i v) q); [|lra]. pose proof (lowest_le (P i) N v Hv).
        pose proof (KL_decreases (lowest (P i) N) (P i v) q). pose proof (lowest_pos (P i) N (fun v => proj1 (H i v))).
        lra. }
  split.
  - assert (least P N w g delta <= 2 * bound); [|lra]. apply Pay; [lra|]. intros u v _ _ _.
    pose proof (X u v). pose proof (X v u). destruct (Nat.eqb u w), (Nat.eqb v w); lra.
  - intro Apart. rewrite <- (Rmult_1_l bound). apply Pay; [lra|]. intros u v E Hu Hv. pose proof (X u v).
    pose proof (X v u).
    destruct (Nat.eqb_spec u w) as [|Uw], (Nat.eqb_spec v w) as [|Vw]; try lra. specialize (Apart u v Hu Hv E Uw Vw).
    unfold x. rewrite (Anti u v). unfold q. unfold Rabs in Apart.
    destruct (Rcase_abs _); repeat destruct (Rlt_dec _ _); lra.
Qed.

Theorem lower_bound_assuming_nothing : lower_bound_assuming_nothing_statement.
Proof.
  intros P N w run delta bound (HP & H & Hw & Win) Hd Finds Alt. pose proof HP as [_ Anti].
  rewrite <- (Rmult_1_l bound).
  apply (arms_pay P N w run delta bound (fun j => KL (P w j) (1/2)) (fun _ v => if Nat.eqb v w then 1 else 0) 1); auto;
    try lra.
  - intros _ v. destruct (Nat.eqb v w); lra.
  - intros j Hj Hjw. specialize (Win j Hj Hjw). apply KL_pos; auto; lra.
  - intros u v E _ _. cbv beta. destruct (Nat.eqb_spec u w), (Nat.eqb_spec v w); lra.
  - intros j eta Hj Hjw He. exists (fun k => if Nat.eqb k w then 1/2 else P j k). split; [|split].
    + intro v. specialize (H j v). destruct (Nat.eqb v w); lra.
    + intro F. now apply Alt.
    + intros v Hv Hvj. destruct (Nat.eqb_spec v w) as [->|]; [|rewrite KL_self by auto; lra].
      rewrite (Anti w j), <- (KL_flip (P w j)). replace (1 - 1/2) with (1/2) by lra. lra.
Qed.
