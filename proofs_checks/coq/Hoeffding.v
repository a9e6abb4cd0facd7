(** * Hoeffding's inequality for a sum of Bernoulli duels

    [walk p k n s f] is the expectation of [f] after [k] more duels of the same pair, from [n] duels
    of which the first arm won [s]; [sm] is a finite sum.  What is used elsewhere are the two tails,
    for any event that implies the deviation. *)
From Coq Require Import Reals Lra Psatz Lia.
From Coquelicot Require Import Coquelicot.
From TGITE Require Import Setting Algorithms Statements Program.
Open Scope R_scope.

Fixpoint walk (p : R) (k n s : nat) (f : nat -> nat -> R) : R :=
  match k with
  | O => f n s
  | S k' => p * walk p k' (S n) (S s) f + (1 - p) * walk p k' (S n) s f
  end.

(** [sm f k = f 0 + ... + f (k-1)] *)
Fixpoint sm (f : nat -> R) (k : nat) : R := match k with O => 0 | S k' => sm f k' + f k' end.

(** Hoeffding's lemma for one Bernoulli(p) variable. *)
Definition hoeffding_lemma_statement : Prop := forall p, 0 <= p <= 1 -> forall t,
  p * exp (t * (1 - p)) + (1 - p) * exp (- (t * p)) <= exp (t * t / 8).

(** The mean of [n] duels exceeds [p] by at least [x], or falls short of it by at least [x]. *)
Definition hoeffding_upper_statement : Prop := forall p, 0 <= p <= 1 -> forall n x (ev : nat -> nat -> bool),
  (0 < n)%nat -> 0 <= x -> (forall s, ev n s = true -> INR n * p + INR n * x <= INR s) ->
  walk p n 0 0 (fun m s => ind (ev m s)) <= exp (- (2 * INR n * (x * x))).
Definition hoeffding_lower_statement : Prop := forall p, 0 <= p <= 1 -> forall n x (ev : nat -> nat -> bool),
  (0 < n)%nat -> 0 <= x -> (forall s, ev n s = true -> INR s <= INR n * p - INR n * x) ->
  walk p n 0 0 (fun m s => ind (ev m s)) <= exp (- (2 * INR n * (x * x))).

(** * Proofs *)

Lemma exp_le a b : a <= b -> exp a <= exp b.
Proof. intros [H|H]; [left; now apply exp_increasing|rewrite H; apply Rle_refl]. Qed.

(** A function that starts at zero and does not fall stays above zero. *)
Lemma rising (f f' : R -> R) z : 0 <= z -> f 0 = 0 ->
  (forall x, 0 <= x <= z -> is_derive f x (f' x)) -> (forall x, 0 <= x <= z -> 0 <= f' x) -> 0 <= f z.
Proof.
  intros Hz F0 D P. destruct (MVT_gen f 0 z f') as [c [Hc E]]; rewrite Rmin_left, Rmax_right in * by lra.
  - intros x Hx. apply D. lra.
  - intros x Hx. apply derivable_continuous_pt. exists (f' x). apply is_derive_Reals, D. lra.
  - specialize (P c Hc). rewrite F0 in E. nra.
Qed.

Section H.
Variable p : R.
Hypothesis Hp : 0 <= p <= 1.

Let D (t : R) := 1 - p + p * exp t.
Let g (t : R) := t * t / 8 + t * p - ln (D t).
Let g1 (t : R) := t / 4 + p - p * exp t / D t.
Let g2 (t : R) := 1 / 4 - (p * exp t / D t) * (1 - p * exp t / D t).

Lemma D_pos t : 0 < D t.
Proof. unfold D. pose proof (exp_pos t). destruct (Req_dec p 1) as [->|]; nra. Qed.

Lemma g_derived t : is_derive g t (g1 t) /\ is_derive g1 t (g2 t).
Proof.
  pose proof (D_pos t) as HD. unfold g, g1, g2, D in *.
  split; (auto_derive; [repeat split; auto; apply Rgt_not_eq; lra|field; lra]).
Qed.

Lemma g_nonneg t : 0 <= t -> 0 <= g t.
Proof.
  intro Ht. apply (rising g g1); auto.
  - unfold g, D. rewrite exp_0. replace (1 - p + p * 1) with 1 by ring. rewrite ln_1. field.
  - intros; apply g_derived.
  - intros x Hx. apply (rising g1 g2); [lra| |intros; apply g_derived|].
    + unfold g1, D. rewrite exp_0. field. lra.
    + intros y _. unfold g2. pose proof (Rle_0_sqr (p * exp y / D y - 1/2)) as S. unfold Rsqr in S. lra.
Qed.

Lemma hoeffding_lemma_at t : 0 <= t ->
  p * exp (t * (1 - p)) + (1 - p) * exp (- (t * p)) <= exp (t * t / 8).
Proof.
  intro Ht. replace (t * (1 - p)) with (t + - (t * p)) by ring. rewrite exp_plus.
  replace (p * (exp t * exp (- (t * p))) + (1 - p) * exp (- (t * p)))
    with (D t * exp (- (t * p))) by (unfold D; ring).
  rewrite <- (exp_ln (D t)) by apply D_pos. rewrite <- exp_plus.
  pose proof (g_nonneg t Ht) as G. unfold g in G. apply exp_le. lra.
Qed.
End H.

(** For negative t, with the two outcomes exchanged. *)
Theorem hoeffding_lemma : hoeffding_lemma_statement.
Proof.
  intros p Hp t. destruct (Rle_lt_dec 0 t) as [Ht|Ht]; [now apply hoeffding_lemma_at|].
  pose proof (hoeffding_lemma_at (1 - p) ltac:(lra) (- t) ltac:(lra)) as H.
  replace (- t * (1 - (1 - p))) with (- (t * p)) in H by ring.
  replace (- (- t * (1 - p))) with (t * (1 - p)) in H by ring.
  replace (- t * - t / 8) with (t * t / 8) in H by field. lra.
Qed.

Section Walk.
Variable p : R.
Hypothesis Hp : 0 <= p <= 1.

Lemma walk_mono k : forall n s f g,
  (forall m t, m = (n + k)%nat -> (t <= k + s)%nat -> f m t <= g m t) -> walk p k n s f <= walk p k n s g.
Proof.
  induction k as [|k IH]; intros n s f g H; simpl.
  - apply H; lia.
  - apply conv_mono; auto; apply IH; intros m t Hm Ht; apply H; lia.
Qed.

Lemma walk_nonneg k : forall n s f, (forall m t, 0 <= f m t) -> 0 <= walk p k n s f.
Proof. induction k as [|k IH]; intros n s f H; simpl; auto. apply conv_ge; auto. Qed.

Lemma walk_plus k : forall n s f g,
  walk p k n s (fun m t => f m t + g m t) = walk p k n s f + walk p k n s g.
Proof. induction k as [|k IH]; intros; simpl; [ring|]. rewrite !IH. ring. Qed.

(** exponential supermartingale bound *)
Lemma walk_mgf t k : forall n s,
  walk p k n s (fun m x => exp (t * (INR x - INR m * p)))
  <= exp (t * (INR s - INR n * p) + INR k * (t * t / 8)).
Proof.
  induction k as [|k IH]; intros n s.
  - simpl. right. f_equal. ring.
  - cbn [walk].
    eapply Rle_trans. { apply conv_mono; [exact Hp|apply IH|apply IH]. }
    set (z := t * (INR s - INR n * p) + INR k * (t * t / 8)).
    replace (t * (INR (S s) - INR (S n) * p) + INR k * (t * t / 8)) with (z + t * (1 - p))
      by (unfold z; rewrite !S_INR; ring).
    replace (t * (INR s - INR (S n) * p) + INR k * (t * t / 8)) with (z + - (t * p))
      by (unfold z; rewrite !S_INR; ring).
    replace (t * (INR s - INR n * p) + INR (S k) * (t * t / 8)) with (z + t * t / 8)
      by (unfold z; rewrite !S_INR; field).
    rewrite !exp_plus.
    replace (p * (exp z * exp (t * (1 - p))) + (1 - p) * (exp z * exp (- (t * p))))
      with (exp z * (p * exp (t * (1 - p)) + (1 - p) * exp (- (t * p)))) by ring.
    apply Rmult_le_compat_l; [left; apply exp_pos|]. now apply hoeffding_lemma.
Qed.

End Walk.

Lemma INR_pos n : (0 < n)%nat -> 0 < INR n.
Proof. intro. apply lt_0_INR. lia. Qed.

Lemma sm_shift f k : sm f (S k) = f O + sm (fun j => f (S j)) k.
Proof. induction k; simpl in *; [ring|]. rewrite IHk. ring. Qed.
Lemma sm_le f g k : (forall j, (j < k)%nat -> f j <= g j) -> sm f k <= sm g k.
Proof. induction k; simpl; intro H; [lra|]. apply Rplus_le_compat; [apply IHk; auto|apply H; lia]. Qed.
Lemma sm_plus f g k : sm (fun j => f j + g j) k = sm f k + sm g k.
Proof. induction k; simpl; [ring|rewrite IHk; ring]. Qed.
Lemma sm_scal c f k : sm (fun j => c * f j) k = c * sm f k.
Proof. induction k; simpl; [ring|rewrite IHk; ring]. Qed.
Lemma sm_nonneg f k : (forall j, 0 <= f j) -> 0 <= sm f k.
Proof. intro H. induction k; simpl; [lra|]. specialize (H k). lra. Qed.
Lemma sm_longer f j k : (forall i, 0 <= f i) -> (j <= k)%nat -> sm f j <= sm f k.
Proof. intros H. induction 1 as [|k _ IH]; [lra|]. cbn [sm]. specialize (H k). lra. Qed.
Lemma sm_one f j k : (forall i, 0 <= f i) -> (j < k)%nat -> f j <= sm f k.
Proof.
  intros H Hj. eapply Rle_trans; [|apply (sm_longer f (S j)); auto]. cbn [sm]. pose proof (sm_nonneg f j H). lra.
Qed.

(** sum_{n=1}^k 1/(n(n+1)) = 1 - 1/(k+1) <= 1 *)
Lemma telescope k : sm (fun j => / (INR (S j) * INR (S (S j)))) k = 1 - / INR (S k).
Proof.
  induction k; [simpl; field|]. cbn [sm]. rewrite IHk.
  assert (0 < INR (S k)) by (apply INR_pos; lia). rewrite !S_INR in *. field. lra.
Qed.
Lemma telescope_le1 k : sm (fun j => / (INR (S j) * INR (S (S j)))) k <= 1.
Proof. rewrite telescope. assert (0 < / INR (S k)) by (apply Rinv_0_lt_compat, INR_pos; lia). lra. Qed.

Theorem hoeffding_upper : hoeffding_upper_statement.
Proof.
  intros p Hp n x ev Hn Hx H. set (t := 4 * x). eapply Rle_trans.
  { apply (walk_mono p Hp) with (g := fun m s => exp (- (t * (INR n * x))) * exp (t * (INR s - INR m * p))).
    intros m s -> _. cbn [Nat.add]. unfold ind. destruct (ev n s) eqn:Ee.
    - rewrite <- exp_plus. rewrite <- exp_0. apply exp_le. specialize (H s Ee). unfold t.
      replace (- (4 * x * (INR n * x)) + 4 * x * (INR s - INR n * p))
        with (4 * x * (INR s - (INR n * p + INR n * x))) by ring.
      apply Rmult_le_pos; lra.
    - apply Rmult_le_pos; left; apply exp_pos. }
  assert (SC : forall c k n s f, walk p k n s (fun m y => c * f m y) = c * walk p k n s f).
  { intro c. induction k; intros; simpl; [ring|]. rewrite !IHk. ring. }
  rewrite SC.
  eapply Rle_trans. { apply Rmult_le_compat_l; [left; apply exp_pos|now apply walk_mgf]. }
  rewrite <- exp_plus. apply exp_le. unfold t. simpl INR. right. field.
Qed.

(** The duels seen from the other arm. *)
Lemma walk_mirror p f k : forall n s, (s <= n)%nat ->
  walk p k n s (fun m t => f m (m - t)%nat) = walk (1 - p) k n (n - s) f.
Proof.
  induction k as [|k IH]; intros n s H; [reflexivity|]. cbn [walk].
  rewrite !IH, Nat.sub_succ, Nat.sub_succ_l by lia. ring.
Qed.
Theorem hoeffding_lower : hoeffding_lower_statement.
Proof.
  intros p Hp n x ev Hn Hx H. pose proof (walk_mirror (1 - p) (fun m s => ind (ev m s)) n 0 0 (le_n 0)) as M.
  cbn [Nat.sub] in M. replace (1 - (1 - p)) with p in M by ring. rewrite <- M.
  apply (hoeffding_upper (1 - p) ltac:(lra) n x (fun m s => ev m (m - s)%nat)); auto. intros s Hs. specialize (H _ Hs).
  pose proof (le_INR n (n - s + s) ltac:(lia)) as I. rewrite plus_INR in I. lra.
Qed.

(** ** Sums of walks, quotients *)
Lemma walk_sum_step p ev k n s :
  sm (fun j => walk p (S j) n s (fun m t => ind (ev m t))) (S k)
  = p * (ind (ev (S n) (S s)) + sm (fun j => walk p (S j) (S n) (S s) (fun m t => ind (ev m t))) k)
  + (1 - p) * (ind (ev (S n) s) + sm (fun j => walk p (S j) (S n) s (fun m t => ind (ev m t))) k).
Proof. rewrite sm_shift. cbn [walk]. rewrite (sm_plus _ _ k), !sm_scal. ring. Qed.

Lemma ind_nonneg b : 0 <= ind b. Proof. destruct b; simpl; lra. Qed.

Lemma walk_sum_nonneg p (Hp : 0 <= p <= 1) ev k n s :
  0 <= sm (fun j => walk p (S j) n s (fun m t => ind (ev m t))) k.
Proof. apply sm_nonneg. intro j. apply walk_nonneg; auto. intros; apply ind_nonneg. Qed.

Lemma walk_zero p k : forall n s, walk p k n s (fun _ _ => 0) = 0.
Proof. induction k; intros; simpl; [ring|]. rewrite !IHk. ring. Qed.

Lemma div_le_iff s n x : (0 < n)%nat -> (x <= INR s / INR n <-> INR n * x <= INR s).
Proof. intro Hn. rewrite Rmult_comm. symmetry. now apply Rle_div_r, INR_pos. Qed.
