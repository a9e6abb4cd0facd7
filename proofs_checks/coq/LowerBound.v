(** * How few duels any algorithm needs (not in the paper)

    Whoever identifies the Condorcet winner at level [delta], on an instance and on those that differ from
    it in one arm's losses, spends on every arm but the winner at least kl(delta, 1 - delta) over the
    largest divergence, from a fair coin, of a pair that this arm loses.  By change of measure (Kaufmann,
    Cappe and Garivier 2016), by induction on the decision tree. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith.
From Coquelicot Require Import Coquelicot.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest.
Open Scope R_scope.

(** The divergence of a coin [p] from a coin [q]. *)
Definition KL (p q : R) : R := p * ln (p / q) + (1 - p) * ln ((1 - p) / (1 - q)).

(** Arm [i] loses to [j], one of the arms 0..N-1. *)
Definition loses (P : arm -> arm -> R) (N : nat) (i j : arm) : Prop := (j < N)%nat /\ j <> i /\ P i j < 1/2.

(** The alternative in which [i] wins what it loses or ties, by [eps], so that it is the winner. *)
Definition raised (P : arm -> arm -> R) (N : nat) (i : arm) (eps : R) (u v : arm) : R :=
  if Nat.eqb u v then P u v
  else if Nat.eqb u i && Nat.ltb v N then (if Rle_dec (P i v) (1/2) then 1/2 + eps else P u v)
  else if Nat.eqb v i && Nat.ltb u N then (if Rle_dec (P i u) (1/2) then 1/2 - eps else P u v)
  else P u v.

Definition lower_bound_statement : Prop := forall P N w (run : nat -> prog (option arm)) delta bound (D : arm -> R),
  valid P -> (forall u v, 0 < P u v < 1) -> 0 < delta <= 1/2 ->
  (* the algorithm is right on the instance, whose winner is [w], within [bound] expected duels ... *)
  identifies P w run delta bound ->
  (* ... and on each alternative wrong with probability at most [delta] *)
  (forall i eps F, (i < N)%nat -> i <> w -> 0 < eps < 1/2 -> Pr (raised P N i eps) (run F) (wrong i) <= delta) ->
  (forall i, (i < N)%nat -> i <> w -> 0 < D i /\ forall j, loses P N i j -> KL (P i j) (1/2) <= D i) ->
  sm (fun i => if Nat.eqb i w then 0 else KL delta (1 - delta) / D i) N <= bound.

(** The alternatives are instances, with [i] as their winner. *)
Definition raised_is_instance_statement : Prop := forall P N i eps,
  valid P -> (forall u v, 0 < P u v < 1) -> 0 < eps < 1/2 -> (i < N)%nat ->
  valid (raised P N i eps) /\ (forall u v, 0 < raised P N i eps u v < 1) /\
  (forall j, (j < N)%nat -> j <> i -> 1/2 < raised P N i eps i j).

(** The same for algorithms that are told that the winner beats every other arm by [g] at least.  They need be right
    only on such instances, so that in the alternatives [i] wins by [g]. *)
Definition raised_to (P : arm -> arm -> R) (N : nat) (i : arm) (q : R) (u v : arm) : R :=
  if Nat.eqb u v then P u v
  else if Nat.eqb u i && Nat.ltb v N then Rmax (P i v) q
  else if Nat.eqb v i && Nat.ltb u N then 1 - Rmax (P i u) q
  else P u v.

Definition lower_bound_told_statement : Prop := forall P N w g (run : nat -> prog (option arm)) delta bound (D : arm -> R),
  condorcet P N w g -> 0 < g < 1/2 -> (forall u v, 0 < P u v < 1) -> 0 < delta <= 1/2 ->
  identifies P w run delta bound ->
  (forall i F, (i < N)%nat -> i <> w -> Pr (raised_to P N i (1/2 + g)) (run F) (wrong i) <= delta) ->
  (forall i, (i < N)%nat -> i <> w -> 0 < D i /\ forall j, (j < N)%nat -> j <> i -> P i j < 1/2 + g -> KL (P i j) (1/2 + g) <= D i) ->
  let least := sm (fun i => if Nat.eqb i w then 0 else KL delta (1 - delta) / D i) N in
  (* a duel of two arms that are nearer than [g] tells something of both of them *)
  least / 2 <= bound /\
  ((forall u v, (u < N)%nat -> (v < N)%nat -> u <> v -> u <> w -> v <> w -> g <= Rabs (P u v - 1/2)) -> least <= bound).

Definition raised_to_is_instance_statement : Prop := forall P N i g,
  valid P -> (forall u v, 0 < P u v < 1) -> 0 < g < 1/2 -> (i < N)%nat ->
  condorcet (raised_to P N i (1/2 + g)) N i g /\ forall u v, 0 < raised_to P N i (1/2 + g) u v < 1.

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
Lemma weighed_plus (m : prog A) c c' : weighed P (fun u v => c u v + c' u v) m = weighed P c m + weighed P c' m.
Proof. induction m as [a|t u v k IH]; cbn; [lra|]. rewrite !IH. ring. Qed.
Lemma weighed_scal (m : prog A) a c : weighed P (fun u v => a * c u v) m = a * weighed P c m.
Proof. induction m as [b|t u v k IH]; cbn; [lra|]. rewrite !IH. ring. Qed.
Lemma weighed_ET (m : prog A) : weighed P (fun _ _ => 1) m = ET P m.
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
  induction m as [a|t u v k IH]; [cbn; rewrite ln_exp; lra|].
  pose proof (E_exp_pos (k true)) as X. pose proof (E_exp_pos (k false)) as Y. cbn [expect weighed].
  pose proof (IH true) as I1. pose proof (IH false) as I0. clear IH.
  set (B1 := expect P' (k true) (fun a => exp (f a))) in *. set (B0 := expect P' (k false) (fun a => exp (f a))) in *.
  set (w1 := weighed P _ (k true)) in *. set (w0 := weighed P _ (k false)) in *.
  pose proof (P01 u v) as Hp. pose proof (P'01 u v) as Hq. set (p := P u v) in *. set (q := P' u v) in *.
  assert (0 < q / p) as Q1 by (apply Rdiv_lt_0_compat; lra).
  assert (0 < (1 - q) / (1 - p)) as Q0 by (apply Rdiv_lt_0_compat; lra).
  pose proof (jensen_ln p (q / p * B1) ((1 - q) / (1 - p) * B0) Hp) as J.
  specialize (J (Rmult_lt_0_compat _ _ Q1 X) (Rmult_lt_0_compat _ _ Q0 Y)).
  replace (p * (q / p * B1) + (1 - p) * ((1 - q) / (1 - p) * B0)) with (q * B1 + (1 - q) * B0) in J by (field; lra).
  rewrite !ln_mult in J by lra. unfold KL.
  replace (p / q) with (/ (q / p)) by (field; lra). replace ((1 - p) / (1 - q)) with (/ ((1 - q) / (1 - p))) by (field; lra).
  rewrite !ln_Rinv by lra.
  assert (p * (expect P (k true) f - ln B1) <= p * w1) by (apply Rmult_le_compat_l; lra).
  assert ((1 - p) * (expect P (k false) f - ln B0) <= (1 - p) * w0) by (apply Rmult_le_compat_l; lra). lra.
Qed.
End Measure.

(** For an event: [t] is free; at its best value the left side is the divergence of the two probabilities. *)
Lemma event_divergence {A} P P' (m : prog A) ev t delta : (forall u v, 0 < P u v < 1) -> (forall u v, 0 < P' u v < 1) ->
  0 <= t -> 0 < delta -> Pr P' m ev <= delta ->
  t * Pr P m ev - ln (1 + (exp t - 1) * delta) <= weighed P (fun u v => KL (P u v) (P' u v)) m.
Proof.
  intros H H' Ht Hd Hev. pose proof (change_of_measure P P' H H' (fun a => t * (if ev a then 1 else 0)) m) as C.
  rewrite E_scal in C. fold (Pr P m ev) in C.
  assert (expect P' m (fun a => exp (t * (if ev a then 1 else 0))) = 1 + (exp t - 1) * Pr P' m ev) as Eq.
  { unfold Pr. rewrite <- E_scal. rewrite <- (E_const P' m 1) at 1. rewrite <- E_plus. apply E_ext.
    intro a. destruct (ev a); [rewrite Rmult_1_r|rewrite Rmult_0_r, exp_0]; lra. }
  pose proof (E_exp_pos P' H' (fun a => t * (if ev a then 1 else 0)) m) as Pos. cbv beta in C, Pos. rewrite Eq in C, Pos.
  assert (1 <= exp t) by (rewrite <- exp_0; destruct Ht as [Ht|<-]; [left; now apply exp_increasing|lra]).
  assert (ln (1 + (exp t - 1) * Pr P' m ev) <= ln (1 + (exp t - 1) * delta)); [|lra].
  apply ln_le; [exact Pos|]. apply Rplus_le_compat_l. apply Rmult_le_compat_l; lra.
Qed.

(** ** The alternatives *)

Lemma raised_01 P N i eps : (forall u v, 0 < P u v < 1) -> 0 < eps < 1/2 -> forall u v, 0 < raised P N i eps u v < 1.
Proof.
  intros H He u v. pose proof (H u v). unfold raised.
  destruct (Nat.eqb u v); [lra|]. destruct (Nat.eqb u i && Nat.ltb v N); [destruct (Rle_dec _ _); lra|].
  destruct (Nat.eqb v i && Nat.ltb u N); [destruct (Rle_dec _ _); lra|lra].
Qed.

Theorem raised_is_instance : raised_is_instance_statement.
Proof.
  intros P N i eps [P01 Anti] H He Hi. pose proof (raised_01 P N i eps H He) as R01. split; [split|split; auto].
  - intros u v. specialize (R01 u v). lra.
  - intros u v. unfold raised. rewrite (Nat.eqb_sym v u). destruct (Nat.eqb_spec u v) as [|Huv]; [apply Anti|].
    destruct (Nat.eqb_spec u i) as [->|Hu]; destruct (Nat.eqb_spec v i) as [->|Hv]; cbn [andb]; try congruence; try apply Anti.
    + destruct (Nat.ltb v N); [destruct (Rle_dec _ _)|]; try apply Anti; lra.
    + destruct (Nat.ltb u N); [destruct (Rle_dec _ _)|]; try apply Anti; lra.
  - intros j Hj Hji. unfold raised. destruct (Nat.eqb_spec i j); [congruence|]. rewrite Nat.eqb_refl.
    destruct (Nat.ltb_spec j N); [cbn [andb]|lia]. destruct (Rle_dec _ _); lra.
Qed.

(** ** The divergence of an alternative: what the losses of [i] cost, and a little more *)

Lemma KL_self p : 0 < p < 1 -> KL p p = 0.
Proof. intro H. unfold KL, Rdiv. rewrite !Rinv_r by lra. rewrite ln_1. ring. Qed.
Lemma KL_flip p q : KL (1 - p) (1 - q) = KL p q.
Proof. unfold KL. replace (1 - (1 - p)) with p by ring. replace (1 - (1 - q)) with q by ring. ring. Qed.

Lemma KL_raised p eps : 0 < p < 1 -> 0 < eps < 1/2 -> KL p (1/2 + eps) <= KL p (1/2) - ln (1 - 2 * eps).
Proof.
  intros Hp He. unfold KL.
  replace (p / (1/2 + eps)) with (p / (1/2) * / (1 + 2 * eps)) by (field; lra).
  replace ((1 - p) / (1 - (1/2 + eps))) with ((1 - p) / (1 - 1/2) * / (1 - 2 * eps)) by (field; lra).
  assert (0 < p / (1/2)) by (apply Rdiv_lt_0_compat; lra). assert (0 < (1 - p) / (1 - 1/2)) by (apply Rdiv_lt_0_compat; lra).
  rewrite !ln_mult by (try apply Rinv_0_lt_compat; lra). rewrite !ln_Rinv by lra.
  assert (0 <= ln (1 + 2 * eps)) by (rewrite <- ln_1; apply ln_le; lra).
  assert (ln (1 - 2 * eps) <= 0) by (rewrite <- ln_1; apply ln_le; lra).
  assert (0 <= p * ln (1 + 2 * eps)) by (apply Rmult_le_pos; lra).
  assert (p * ln (1 - 2 * eps) <= 0) by nra. lra.
Qed.

(** One for a duel in which [i] meets an arm to which it loses, or against which it is not as good as [q]. *)
Definition lost_duel (P : arm -> arm -> R) (N : nat) (q : R) (i u v : arm) : R :=
  if Nat.eqb u v then 0
  else if Nat.eqb u i && Nat.ltb v N then (if Rlt_dec (P i v) q then 1 else 0)
  else if Nat.eqb v i && Nat.ltb u N then (if Rlt_dec (P i u) q then 1 else 0)
  else 0.

Lemma duel_divergence P N i eps D u v : valid P -> (forall u v, 0 < P u v < 1) -> 0 < eps < 1/2 -> 0 < D ->
  (forall j, loses P N i j -> KL (P i j) (1/2) <= D) ->
  KL (P u v) (raised P N i eps u v) <= D * lost_duel P N (1/2) i u v + - ln (1 - 2 * eps).
Proof.
  intros [_ Anti] H He HD HL. assert (ln (1 - 2 * eps) <= 0) as L by (rewrite <- ln_1; apply ln_le; lra).
  assert (forall j, (j < N)%nat -> j <> i -> P i j <= 1/2 ->
            KL (P i j) (1/2 + eps) <= D * (if Rlt_dec (P i j) (1/2) then 1 else 0) + - ln (1 - 2 * eps)) as Q.
  { intros j Hj Hji Hle. eapply Rle_trans; [apply KL_raised; auto|]. destruct (Rlt_dec _ _) as [h|h].
    - specialize (HL j ltac:(split; auto)). lra.
    - replace (P i j) with (1/2) by lra. rewrite KL_self; lra. }
  assert (forall a b, KL (P a b) (P a b) <= D * 0 + - ln (1 - 2 * eps)) as Same by (intros; rewrite KL_self by auto; lra).
  unfold raised, lost_duel. destruct (Nat.eqb_spec u v) as [|Huv]; [apply Same|].
  destruct (Nat.eqb_spec u i) as [->|Hu]; destruct (Nat.eqb_spec v i) as [->|Hv]; cbn [andb]; try congruence; try apply Same.
  - destruct (Nat.ltb_spec v N); [|apply Same]. destruct (Rle_dec _ _) as [h|h]; [apply Q; auto|].
    destruct (Rlt_dec _ _); [lra|apply Same].
  - destruct (Nat.ltb_spec u N); [|apply Same]. destruct (Rle_dec _ _) as [h|h].
    + rewrite (Anti i u). replace (1/2 - eps) with (1 - (1/2 + eps)) by lra. rewrite KL_flip. apply Q; auto.
    + destruct (Rlt_dec _ _); [lra|apply Same].
Qed.

Lemma sm_zero n : sm (fun _ => 0) n = 0.
Proof. induction n; cbn [sm]; lra. Qed.

(** A duel is lost by one of its arms at most. *)
Lemma sm_single (x : R) u n : 0 <= x -> sm (fun i => if Nat.eqb i u then x else 0) n <= x.
Proof.
  intro Hx. assert (sm (fun i => if Nat.eqb i u then x else 0) n = if Nat.ltb u n then x else 0) as ->.
  { induction n as [|n IH]; [reflexivity|]. cbn [sm]. rewrite IH.
    destruct (Nat.eqb_spec n u); destruct (Nat.ltb_spec u n); destruct (Nat.ltb_spec u (S n)); try lia; lra. }
  destruct (Nat.ltb u n); lra.
Qed.

(** What a duel counts for its two arms, the winner's share left out. *)
Definition count (P : arm -> arm -> R) (w : arm) (q : R) (u v : arm) : R :=
  if Nat.eqb u w then 0 else if Rlt_dec (P u v) q then 1 else 0.
Lemma count_range P w q u v : 0 <= count P w q u v <= 1.
Proof. unfold count. destruct (Nat.eqb u w); [lra|]. destruct (Rlt_dec _ _); lra. Qed.

Lemma lost_sum P N w q u v C : 0 <= C -> ((u < N)%nat -> (v < N)%nat -> u <> v -> count P w q u v + count P w q v u <= C) ->
  sm (fun i => if Nat.eqb i w then 0 else lost_duel P N q i u v) N <= C.
Proof.
  intros HC H. pose proof (count_range P w q u v) as X. pose proof (count_range P w q v u) as Y.
  set (x := count P w q u v) in *. set (y := count P w q v u) in *.
  destruct (Nat.eq_dec u v) as [E|E]; [|destruct (lt_dec u N) as [Hu|Hu]; [destruct (lt_dec v N) as [Hv|Hv]|]].
  2:{ eapply Rle_trans; [|apply H; auto]. eapply Rle_trans; [apply (sm_le _ (fun i => (if Nat.eqb i u then x else 0) + (if Nat.eqb i v then y else 0)))|].
      - intros i _. unfold lost_duel, x, y, count. rewrite (Nat.eqb_sym u i), (Nat.eqb_sym v i). destruct (Nat.eqb_spec u v); [congruence|].
        destruct (Nat.ltb_spec u N); [|lia]. destruct (Nat.ltb_spec v N); [|lia]. rewrite !andb_true_r.
        destruct (Nat.eqb_spec i u) as [->|Iu]; [|destruct (Nat.eqb_spec i v) as [->|Iv]; [|destruct (Nat.eqb i w); lra]].
        + destruct (Nat.eqb_spec u v); [congruence|]. destruct (Nat.eqb u w); [lra|]. destruct (Rlt_dec _ _); lra.
        + destruct (Nat.eqb v w); [lra|]. destruct (Rlt_dec _ _); lra.
      - rewrite sm_plus. pose proof (sm_single x u N ltac:(lra)). pose proof (sm_single y v N ltac:(lra)). lra. }
  all: eapply Rle_trans; [apply (sm_le _ (fun _ => 0))|rewrite sm_zero; exact HC].
  all: intros i Hi; unfold lost_duel; destruct (Nat.eqb i w); [lra|]; destruct (Nat.eqb_spec u v); [lra|]; try congruence.
  all: destruct (Nat.eqb_spec u i) as [->|]; destruct (Nat.eqb_spec v i) as [->|]; cbn [andb]; try congruence; try lra.
  all: try (destruct (Nat.ltb_spec v N); [lia|]); try (destruct (Nat.ltb_spec u N); [lia|]); try lia; lra.
Qed.

(** ** The bound *)

Definition best (delta : R) : R := 2 * ln ((1 - delta) / delta).
Lemma best_nonneg delta : 0 < delta <= 1/2 -> 0 <= best delta.
Proof.
  intro Hd. unfold best. assert (0 <= ln ((1 - delta) / delta)); [|lra]. rewrite <- ln_1. apply ln_le; [lra|].
  apply Rmult_le_reg_r with delta; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Lemma best_value delta : 0 < delta <= 1/2 ->
  best delta * (1 - delta) - ln (1 + (exp (best delta) - 1) * delta) = KL delta (1 - delta).
Proof.
  intro Hd. assert (0 < (1 - delta) / delta) as Q by (apply Rdiv_lt_0_compat; lra).
  assert (exp (best delta) = (1 - delta) / delta * ((1 - delta) / delta)) as ->.
  { unfold best. replace (2 * ln ((1 - delta) / delta)) with (ln ((1 - delta) / delta) + ln ((1 - delta) / delta)) by ring.
    rewrite exp_plus, exp_ln by exact Q. reflexivity. }
  replace (1 + ((1 - delta) / delta * ((1 - delta) / delta) - 1) * delta) with ((1 - delta) / delta) by (field; lra).
  unfold KL, best. replace (1 - (1 - delta)) with delta by ring.
  replace (delta / (1 - delta)) with (/ ((1 - delta) / delta)) by (field; lra). rewrite ln_Rinv by exact Q. ring.
Qed.

(** From what each arm is paid to the whole, where no duel counts for more than [C] arms. *)
Lemma arms_pay P N w (run : nat -> prog (option arm)) delta bound (D : arm -> R) (c : nat -> arm -> arm -> R) C :
  valid P -> 0 < delta <= 1/2 -> identifies P w run delta bound -> 0 <= C ->
  (forall i, (i < N)%nat -> i <> w -> 0 < D i) ->
  (forall u v, sm (fun i => if Nat.eqb i w then 0 else c i u v) N <= C) ->
  (forall i F, (i < N)%nat -> i <> w ->
    best delta * Pr P (run F) (is_arm w) - ln (1 + (exp (best delta) - 1) * delta) <= D i * weighed P (c i) (run F)) ->
  sm (fun i => if Nat.eqb i w then 0 else KL delta (1 - delta) / D i) N <= C * bound.
Proof.
  intros HP Hd (_ & (Cost & _) & _ & _ & p & Lim & Hp) HC HD Once Pays.
  pose proof (valid_01 P HP) as P01. pose proof (best_nonneg delta Hd) as Ht. pose proof (best_value delta Hd) as Value.
  set (t := best delta) in *. set (l := ln (1 + (exp t - 1) * delta)) in *. set (a F := Pr P (run F) (is_arm w)) in *.
  set (S := sm (fun i => if Nat.eqb i w then 0 else / D i) N).
  assert (forall F, (t * a F - l) * S <= C * bound) as All.
  { intro F. apply Rle_trans with (C * ET P (run F)); [|apply Rmult_le_compat_l; [exact HC|apply Cost]]. unfold S. rewrite <- sm_scal.
    eapply Rle_trans; [apply (sm_le _ (fun i => weighed P (fun u v => if Nat.eqb i w then 0 else c i u v) (run F)))|].
    - intros i Hi. destruct (Nat.eqb_spec i w) as [|Hiw]; [rewrite weighed_zero; lra|]. specialize (HD i Hi Hiw).
      apply Rmult_le_reg_r with (D i); [exact HD|]. rewrite Rmult_assoc, Rinv_l by lra. specialize (Pays i F Hi Hiw). fold (a F) in Pays.
      change (fun u v => c i u v) with (c i). lra.
    - rewrite <- (weighed_sm P (run F) (fun i u v => if Nat.eqb i w then 0 else c i u v)).
      rewrite <- weighed_ET, <- weighed_scal. apply weighed_mono; auto. intros u v. rewrite Rmult_1_r. apply Once. }
  assert (0 <= S) as S0.
  { unfold S. apply Rle_trans with (sm (fun _ => 0) N); [rewrite sm_zero; lra|]. apply sm_le.
    intros i Hi. destruct (Nat.eqb_spec i w); [lra|]. left. apply Rinv_0_lt_compat. now apply HD. }
  assert ((t * p - l) * S <= C * bound) as Final.
  { apply (is_lim_seq_le (fun F => (t * a F - l) * S) (fun _ => C * bound) ((t * p - l) * S) (C * bound)); auto using is_lim_seq_const.
    apply (is_lim_seq_scal_r (fun F => t * a F - l) S (t * p - l)).
    apply is_lim_seq_minus'; [|apply is_lim_seq_const]. exact (is_lim_seq_scal_l a t p Lim). }
  assert (sm (fun i => if Nat.eqb i w then 0 else KL delta (1 - delta) / D i) N = KL delta (1 - delta) * S) as ->.
  { unfold S. rewrite <- sm_scal. clear. induction N as [|N IH]; cbn [sm]; [reflexivity|]. rewrite IH.
    destruct (Nat.eqb N w); unfold Rdiv; ring. }
  eapply Rle_trans; [|exact Final]. apply Rmult_le_compat_r; [exact S0|].
  rewrite <- Value. assert (t * (1 - delta) <= t * p) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** An arm that is not [i] is wrong where [i] is the winner. *)
Lemma other_is_wrong P (P01 : forall u v, 0 < P u v < 1) (m : prog (option arm)) w i : i <> w -> Pr P m (is_arm w) <= Pr P m (wrong i).
Proof.
  intro H. apply E_mono; [intros u v; pose proof (P01 u v); lra|].
  intros [x|]; cbn; [|lra]. destruct (Nat.eqb_spec x w); destruct (Nat.eqb_spec x i); cbn; try lra. congruence.
Qed.

Theorem lower_bound : lower_bound_statement.
Proof.
  intros P N w run delta bound D HP H Hd Id Alt HD. pose proof (valid_01 P HP) as P01. rewrite <- (Rmult_1_l bound).
  apply (arms_pay P N w run delta bound D (lost_duel P N (1/2)) 1); auto; [lra|intros; now apply HD| |].
  { intros u v. apply lost_sum; [lra|]. intros _ _ _. unfold count. destruct HP as [_ Anti]. rewrite (Anti u v).
    destruct (Nat.eqb u w); destruct (Nat.eqb v w); repeat destruct (Rlt_dec _ _); lra. }
  intros i F Hi Hiw. destruct (HD i Hi Hiw) as [D0 HL]. set (t := best delta). set (l := ln _).
  assert (forall eta, 0 < eta -> t * Pr P (run F) (is_arm w) - l <= D i * weighed P (lost_duel P N (1/2) i) (run F) + eta * ET P (run F)) as Eta.
  { intros eta He. set (eps := (1 - exp (- eta)) / 2).
    assert (0 < exp (- eta) < 1) as X by (split; [apply exp_pos|rewrite <- exp_0; apply exp_increasing; lra]).
    assert (0 < eps < 1/2) as Heps by (unfold eps; lra). pose proof (raised_01 P N i eps H Heps) as R01.
    eapply Rle_trans; [apply (event_divergence P (raised P N i eps) (run F) (is_arm w) t delta); auto; try lra|].
    - now apply best_nonneg.
    - eapply Rle_trans; [apply (other_is_wrong _ R01 _ w i Hiw)|apply (Alt i eps F Hi Hiw Heps)].
    - eapply Rle_trans; [apply (weighed_mono P P01 _ _ (fun u v => D i * lost_duel P N (1/2) i u v + eta * 1))|].
      + intros u v. pose proof (duel_divergence P N i eps (D i) u v HP H Heps D0 HL) as Q.
        replace (1 - 2 * eps) with (exp (- eta)) in Q by (unfold eps; field). rewrite ln_exp in Q. lra.
      + rewrite (weighed_plus P (run F) (fun u v => D i * lost_duel P N (1/2) i u v) (fun _ _ => eta * 1)).
        rewrite !weighed_scal, weighed_ET. change (fun u v => lost_duel P N (1/2) i u v) with (lost_duel P N (1/2) i). lra. }
  pose proof (ET_nonneg P P01 (run F)) as T0. apply le_epsilon. intros e He.
  specialize (Eta (e / (ET P (run F) + 1)) ltac:(apply Rdiv_lt_0_compat; lra)).
  eapply Rle_trans; [exact Eta|]. apply Rplus_le_compat_l.
  apply Rle_trans with (e / (ET P (run F) + 1) * (ET P (run F) + 1)); [|right; field; lra].
  apply Rmult_le_compat_l; [|lra]. left. apply Rdiv_lt_0_compat; lra.
Qed.

(** ** Where a gap is told *)

Lemma raised_to_01 P N i q : (forall u v, 0 < P u v < 1) -> 0 < q < 1 -> forall u v, 0 < raised_to P N i q u v < 1.
Proof.
  intros H Hq u v. unfold raised_to. pose proof (H u v). pose proof (H i v). pose proof (H i u). unfold Rmax.
  destruct (Nat.eqb u v); [lra|]. destruct (Nat.eqb u i && Nat.ltb v N); [destruct (Rle_dec _ _); lra|].
  destruct (Nat.eqb v i && Nat.ltb u N); [destruct (Rle_dec _ _); lra|lra].
Qed.

Theorem raised_to_is_instance : raised_to_is_instance_statement.
Proof.
  intros P N i g [P01 Anti] H Hg Hi. pose proof (raised_to_01 P N i (1/2 + g) H ltac:(lra)) as R01. split; [split|]; auto.
  - intros u v. specialize (R01 u v). lra.
  - intros u v. unfold raised_to. rewrite (Nat.eqb_sym v u). destruct (Nat.eqb_spec u v) as [|Huv]; [apply Anti|].
    destruct (Nat.eqb_spec u i) as [->|Hu]; destruct (Nat.eqb_spec v i) as [->|Hv]; cbn [andb]; try congruence; try apply Anti.
    + destruct (Nat.ltb v N); [ring|apply Anti].
    + destruct (Nat.ltb u N); [ring|apply Anti].
  - intros j Hj Hji. unfold raised_to. destruct (Nat.eqb_spec i j); [congruence|]. rewrite Nat.eqb_refl.
    destruct (Nat.ltb_spec j N); [cbn [andb]; apply Rmax_r|lia].
Qed.

Lemma told_divergence P N i q D u v : (forall u v, P v u = 1 - P u v) -> (forall u v, 0 < P u v < 1) -> 0 < D ->
  (forall j, (j < N)%nat -> j <> i -> P i j < q -> KL (P i j) q <= D) ->
  KL (P u v) (raised_to P N i q u v) <= D * lost_duel P N q i u v.
Proof.
  intros Anti H HD HL. assert (forall a b, KL (P a b) (P a b) <= D * 0) as Same by (intros; rewrite KL_self by auto; lra).
  assert (forall j, (j < N)%nat -> j <> i -> KL (P i j) (Rmax (P i j) q) <= D * (if Rlt_dec (P i j) q then 1 else 0)) as Q.
  { intros j Hj Hji. destruct (Rlt_dec _ _) as [h|h].
    - rewrite Rmax_right by lra. specialize (HL j Hj Hji h). lra.
    - rewrite Rmax_left by lra. apply Same. }
  unfold raised_to, lost_duel. destruct (Nat.eqb_spec u v) as [|Huv]; [apply Same|].
  destruct (Nat.eqb_spec u i) as [->|Hu]; destruct (Nat.eqb_spec v i) as [->|Hv]; cbn [andb]; try congruence; try apply Same.
  - destruct (Nat.ltb_spec v N); [apply Q; auto|apply Same].
  - destruct (Nat.ltb_spec u N); [|apply Same]. rewrite (Anti i u), KL_flip. apply Q; auto.
Qed.

Theorem lower_bound_told : lower_bound_told_statement.
Proof.
  intros P N w g run delta bound D HC Hg H Hd Id Alt HD least. pose proof HC as [P01 Anti Hw Win].
  assert (valid P) as HP by (split; auto). set (q := 1/2 + g) in *.
  assert (forall C, 0 <= C -> (forall u v, (u < N)%nat -> (v < N)%nat -> u <> v -> count P w q u v + count P w q v u <= C) -> least <= C * bound) as Pay.
  { intros C C0 Count. apply (arms_pay P N w run delta bound D (lost_duel P N q) C); auto; [intros; now apply HD|intros u v; apply lost_sum; [exact C0|apply Count]|].
    intros i F Hi Hiw. destruct (HD i Hi Hiw) as [D0 HL]. pose proof (raised_to_01 P N i q H ltac:(unfold q; lra)) as R01.
    eapply Rle_trans; [apply (event_divergence P (raised_to P N i q) (run F) (is_arm w) (best delta) delta); auto; try lra|].
    - now apply best_nonneg.
    - eapply Rle_trans; [apply (other_is_wrong _ R01 _ w i Hiw)|now apply Alt].
    - rewrite <- weighed_scal. apply weighed_mono; auto. intros u v. now apply told_divergence. }
  split; [|intro Apart].
  - assert (least <= 2 * bound); [|lra]. apply Pay; [lra|]. intros u v _ _ _. pose proof (count_range P w q u v). pose proof (count_range P w q v u). lra.
  - rewrite <- (Rmult_1_l bound). apply Pay; [lra|]. intros u v Hu Hv Huv. unfold count.
    destruct (Nat.eqb_spec u w) as [|Uw]; [destruct (Nat.eqb v w); [|destruct (Rlt_dec _ _)]; lra|].
    destruct (Nat.eqb_spec v w) as [|Vw]; [destruct (Rlt_dec _ _); lra|]. specialize (Apart u v Hu Hv Huv Uw Vw).
    rewrite (Anti u v). unfold q. unfold Rabs in Apart. destruct (Rcase_abs _); repeat destruct (Rlt_dec _ _); lra.
Qed.
