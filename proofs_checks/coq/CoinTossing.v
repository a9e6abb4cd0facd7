(** * Probability on the space of infinitely many coins

    What [Setting] computes on finite trees are here measures of events in one sample space, the same
    for every algorithm: independent coins, one for each number of a duel and each ordered pair of arms.
    The measure is the outer measure from which Caratheodory's theorem makes the product measure.  All
    programs of a family run on the same outcome of the coins.  So the stopping time and the regret of
    an endless algorithm are random variables. *)
From Coq Require Import FunctionalExtensionality Classical ClassicalDedekindReals Cantor.
From Coq Require Import Reals Lra Lia Bool Arith.
From Coquelicot Require Import Coquelicot.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding DuelTest Limits.
Open Scope R_scope.

(** An outcome of all coins, which are numbered. *)
Definition coins := nat -> bool.

(** The coin for duel number [n], if this is between [u] and [v]; it shows [true] if [u] wins.
    [to_nat] numbers the pairs of numbers, [of_nat] is its inverse. *)
Definition coin (n : nat) (u v : arm) : nat := to_nat (n, to_nat (u, v)).

(** The probability that coin [i] shows [true]. *)
Definition bias (P : arm -> arm -> R) (i : nat) : R :=
  let (_, pair) := of_nat i in let (u, v) := of_nat pair in P u v.

(** [b] before the coins [w] *)
Definition put (b : bool) (w : coins) : coins := fun i => match i with O => b | S j => w j end.

(** The first [n] coins determine whether [e] occurs. *)
Definition depends (n : nat) (e : coins -> bool) : Prop :=
  forall w w' : coins, (forall i, (i < n)%nat -> w i = w' i) -> e w = e w'.

(** The probability of an event about [n] independent coins, which have the numbers from [i] on. *)
Fixpoint prob (P : arm -> arm -> R) (i n : nat) (e : coins -> bool) : R :=
  match n with
  | O => ind (e (fun _ => false))
  | S n' => bias P i * prob P (S i) n' (fun w => e (put true w))
            + (1 - bias P i) * prob P (S i) n' (fun w => e (put false w))
  end.

(** The event is covered by countably many, with probabilities that add up to at most [x]: [c j] is a
    number of coins and an event about these.  The outer measure is the infimum of these [x]. *)
Definition total P (i : nat) (c : nat -> nat * (coins -> bool)) : nat -> R :=
  sm (fun j => prob P i (fst (c j)) (snd (c j))).
Definition determined (c : nat -> nat * (coins -> bool)) : Prop := forall j, depends (fst (c j)) (snd (c j)).
Definition covered P (event : coins -> Prop) (x : R) : Prop := exists c,
  determined c /\ (forall w, event w -> exists j, snd (c j) w = true) /\ forall k, total P 0 c k <= x.
Definition measure P (event : coins -> Prop) (x : R) : Prop :=
  (forall z, covered P event z -> x <= z) /\ forall z, x < z -> covered P event z.

(** [exceeds n] is the event that a random variable with values 0, 1, 2, ... and infinity is more than
    [n].  The expectation is the sum of their probabilities. *)
Definition expectation P (exceeds : nat -> coins -> Prop) (x : R) : Prop :=
  exists y, (forall n, measure P (exceeds n) (y n)) /\ is_lim_seq (sm y) x.

(** The answer of [m], if its first duel is number [n]. *)
Fixpoint answer {A} (n : nat) (m : prog A) (w : coins) : A :=
  match m with Ret a => a | Ask _ u v k => answer (S n) (k (w (coin n u v))) w end.

(** The duels of [m]; the answer is [c] and the number of the duels that cost regret. *)
Fixpoint counting {A} (r : arm -> arm -> bool) (c : nat) (m : prog A) : prog nat :=
  match m with
  | Ret _ => Ret c
  | Ask _ u v k => Duel u v (fun b => counting r (if r u v then S c else c) (k b))
  end.
Definition regret {A} r (m : prog A) (w : coins) : nat := answer 0 (counting r 0 m) w.

(** The endless run has the property [ev] of an answer, or a regret above [n], if some finite run has.
    The stopping time counts all duels. *)
Definition ends_in {A} (ev : option A -> bool) (run : nat -> prog (option A)) (w : coins) : Prop :=
  exists F, ev (answer 0 (run F) w) = true.
Definition total_regret {A} r (run : nat -> prog A) (n : nat) (w : coins) : Prop :=
  exists F, (n <? regret r (run F) w) = true.
Definition stopping_time {A} (run : nat -> prog A) := total_regret (fun _ _ => true) run.

(** The measure extends [prob]: no cover of an event about finitely many coins has a smaller total.
    What [Setting] computes on a tree are probabilities on the space. *)
Definition program_on_coins_statement : Prop := forall P, (forall u v, 0 <= P u v <= 1) ->
  (forall n e, depends n e -> measure P (fun w => e w = true) (prob P 0 n e)) /\
  forall A (m : prog A) ev, measure P (fun w => ev (answer 0 m w) = true) (Pr P m ev).

(** If longer horizons only extend the runs, then the limits of costs and probabilities are those of
    the endless run. *)
Definition horizon_limits_statement : Prop := forall P A (run : nat -> prog (option A)) (x : R),
  (forall u v, 0 <= P u v <= 1) -> (forall F, refines (run F) (run (S F))) ->
  (is_lim_seq (fun F => ET P (run F)) x -> expectation P (stopping_time run) x) /\
  (forall r, is_lim_seq (fun F => expected_regret P r (run F)) x -> expectation P (total_regret r run) x) /\
  forall ev, ev None = false -> is_lim_seq (fun F => Pr P (run F) ev) x -> measure P (ends_in ev run) x.

(** So whenever a theorem states [endless_regret_at_most], E[R_oo] is at most the bound, and R_oo is
    finite almost surely.  Of the endless policy, [run T T] has the first [T] rounds. *)
Definition endless_regret_on_coins_statement : Prop := forall P r run bound, (forall u v, 0 <= P u v <= 1) ->
  endless_regret_at_most P r run bound -> let R_oo := total_regret r (fun T => first_rounds T (run T T)) in
  measure P (fun w => forall n, R_oo n w) 0 /\ exists x, expectation P R_oo x /\ x <= bound /\
    is_lim_seq (fun T => regret_until P r T (run T T)) x.

(** DuelTest's stopping time is finite almost surely and has the paper's bound.  The answer is the
    better arm with probability at least [1 - d]. *)
Definition dueltest_on_coins_statement : Prop := forall P stop d g u v, valid P -> sound stop ->
  prompt stop -> 0 < d < 1 -> u <> v -> 0 < g <= 1/2 -> g <= Rabs (P u v - 1/2) ->
  let run := fun F => DT stop F d u v in
  (exists x, expectation P (stopping_time run) x /\ x <= dt_time d g) /\
  measure P (fun w => forall n, stopping_time run n w) 0 /\
  exists q, measure P (ends_in (is_arm (better P u v)) run) q /\ 1 - d <= q.

(** * Proofs *)

Section Space.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.

Lemma bias_01 i : 0 <= bias P i <= 1.
Proof. unfold bias. destruct (of_nat i) as [n q], (of_nat q). apply P01. Qed.
Lemma prob_const n b : forall i, prob P i n (fun _ => b) = ind b.
Proof. induction n as [|n IH]; intro i; cbn [prob]; [reflexivity|]. rewrite !IH. ring. Qed.
Lemma prob_01 n : forall i e, 0 <= prob P i n e <= 1.
Proof.
  induction n as [|n IH]; intros i e; cbn [prob]; [destruct (e _); cbn; lra|].
  split; [apply conv_ge|apply conv_le]; apply bias_01 || apply IH.
Qed.
Lemma prob_diff n : forall i (e e' : coins -> bool), (forall w, e w = true -> e' w = true) ->
  prob P i n e' = prob P i n e + prob P i n (fun w => e' w && negb (e w)).
Proof.
  induction n as [|n IH]; intros i e e' H; cbn [prob].
  - specialize (H (fun _ => false)). destruct (e _); [rewrite H by reflexivity|destruct (e' _)]; cbn; ring.
  - rewrite !(IH (S i) _ (fun w => e' (put _ w)) (fun w => H (put _ w))). ring.
Qed.

(** ** No cover of the whole space has a total below 1

    If events have a total below 1, then some outcome of the first coin leaves them a total below 1, and
    so on.  None of them occurs at the outcome of all coins that this makes. *)
Definition heavy i c : Prop := forall x, x < 1 -> exists k, x <= total P i c k.
Definition after (b : bool) (c : nat -> nat * (coins -> bool)) : nat -> nat * (coins -> bool) :=
  fun j => (pred (fst (c j)), fun w => snd (c j) (put b w)).
Definition turn i c : bool := if sig_not_dec (heavy (S i) (after true c)) then false else true.
Fixpoint path i c (k : nat) : bool := match k with O => turn i c | S k' => path (S i) (after (turn i c) c) k' end.

Lemma turn_light i c : determined c -> ~ heavy i c -> ~ heavy (S i) (after (turn i c) c).
Proof.
  intros D N. unfold turn. destruct (sig_not_dec _) as [H|H]; [|exact H]. intro H'. apply H. clear H. intro H.
  apply N. intros x Hx. destruct (H x Hx) as [k Hk], (H' x Hx) as [k' Hk']. exists (k + k')%nat.
  apply Rle_trans with
    (bias P i * total P (S i) (after true c) (k + k') + (1 - bias P i) * total P (S i) (after false c) (k + k')).
  - apply conv_ge; [apply bias_01|apply (Rle_trans _ _ _ Hk)|apply (Rle_trans _ _ _ Hk')];
      (apply sm_longer; [intro; apply prob_01|lia]).
  - unfold total. rewrite <- !sm_scal, <- sm_plus. apply sm_le. intros j _. right. specialize (D j).
    cbn. destruct (fst (c j)); cbn; [|reflexivity].
    rewrite (D (put true _) (fun _ => false)), (D (put false _) (fun _ => false)) by lia. ring.
Qed.
Lemma path_escapes N : forall i c j,
  (fst (c j) <= N)%nat -> determined c -> ~ heavy i c -> snd (c j) (path i c) = false.
Proof.
  induction N as [|N IH]; intros i c j Hn D L.
  - apply not_true_is_false. intro E. apply L. intros x Hx. exists (S j).
    apply Rle_trans with (2 := sm_one _ j (S j) (fun k => proj1 (prob_01 (fst (c k)) i (snd (c k)))) (le_n _)).
    replace (snd (c j)) with (fun _ : coins => true); [rewrite prob_const; cbn; lra|].
    apply functional_extensionality. intro. rewrite <- E. apply D. lia.
  - rewrite <- (IH (S i) (after (turn i c) c) j); [|cbn; lia| |now apply turn_light].
    + cbn. f_equal. apply functional_extensionality. now intros [|k].
    + intros j' w w' H. apply D. intros [|k] Hk; cbn; [reflexivity|]. apply H. cbn. lia.
Qed.

Definition before {B} (b : B) (f : nat -> B) (j : nat) : B := match j with O => b | S k => f k end.
Lemma total_before n e c x :
  (forall k, total P 0 c k <= x) -> forall k, total P 0 (before (n, e) c) k <= prob P 0 n e + x.
Proof.
  intros H [|k]; [pose proof (prob_01 n 0 e); specialize (H O); cbn in *; lra|].
  unfold total. rewrite sm_shift. apply Rplus_le_compat_l, H.
Qed.
Lemma covered_least n e x : depends n e -> covered P (fun w => e w = true) x -> prob P 0 n e <= x.
Proof.
  intros D (c & D' & C & W). apply Rnot_lt_le. intro Hx.
  set (c' := before (n, fun w => negb (e w)) c). set (w := path 0 c').
  assert (E : forall j, snd (c' j) w = false).
  { intro j. apply (path_escapes _ 0 _ j (le_n _)).
    - intros [|k]; [|apply D']. intros w1 w2 H. cbn. f_equal. auto.
    - pose proof (prob_diff n 0 e (fun _ => true) (fun _ _ => eq_refl)) as One. rewrite prob_const in One. cbn in One.
      intro H. destruct (H ((1 + (prob P 0 n (fun w => negb (e w)) + x)) / 2)) as [k Hk]; [lra|].
      pose proof (total_before n (fun w => negb (e w)) c x W k). unfold c' in Hk. lra. }
  destruct (C w) as [j Hj]; [apply negb_false_iff, (E O)|]. pose proof (E (S j)). cbn in *. congruence.
Qed.
Lemma measure_finite n e : depends n e -> measure P (fun w => e w = true) (prob P 0 n e).
Proof.
  intro D. split; intros z H; [now apply covered_least|].
  exists (before (n, e) (fun _ => (O, fun _ => false))). split; [now intros [|j]|]. split; [now exists O|].
  replace z with (prob P 0 n e + (z - prob P 0 n e)) by ring. apply total_before. induction k; cbn in *; lra.
Qed.

(** Continuity from below, for events about finitely many coins each *)
Lemma measure_union (n : nat -> nat) (e : nat -> coins -> bool) (x : nat -> R) :
  (forall T, depends (n T) (e T)) -> (forall T k, (n T <= k)%nat -> prob P 0 k (e T) = x T) ->
  (forall T w, e T w = true -> e (S T) w = true) -> let y := real (Lim_seq x) in
  measure P (fun w => exists T, e T w = true) y /\ is_lim_seq x y /\ forall T, x T <= y.
Proof.
  intros D X M y. set (new := fun T w => e (S T) w && negb (e T w)). set (s := fun T => (n T + n (S T))%nat).
  assert (New : forall T, x (S T) = x T + prob P 0 (s T) (new T)) by
    (intro T; rewrite <- (X T (s T)), <- (X (S T) (s T)) by (unfold s; lia); apply prob_diff, M).
  assert (Inc : forall T, x T <= x (S T)) by (intro T; rewrite New; pose proof (prob_01 (s T) 0 (new T)); lra).
  assert (L : is_lim_seq x y).
  { apply Lim_seq_correct', (ex_finite_lim_seq_incr x 1 Inc). intro T. rewrite <- (X T _ (le_n _)). apply prob_01. }
  assert (Le : forall T, x T <= y) by now apply is_lim_seq_incr_compare.
  split; [split; intros z H|auto].
  - refine (is_lim_seq_le x (fun _ => z) y z _ L (is_lim_seq_const z)). intro T. rewrite <- (X T _ (le_n _)).
    destruct H as (c & D' & C & W). apply covered_least; auto. exists c. eauto.
  - exists (before (n O, e O) (fun T => (s T, new T))). split; [|split].
    + intros [|T]; [apply D|]. intros w w' E. cbn. unfold new.
      rewrite (D T w w'), (D (S T) w w'); auto; intros; apply E; cbn; unfold s; lia.
    + intros w [T HT]. induction T as [|T IH]; [now exists O|].
      destruct (e T w) eqn:ET; [auto|]. exists (S T). cbn. unfold new. now rewrite HT, ET.
    + replace z with (prob P 0 (n O) (e O) + (z - x O)) by (rewrite X by auto; ring). apply total_before. intro k.
      apply Rle_trans with (x k - x O); [right|specialize (Le k); lra].
      induction k as [|k IH]; unfold total in *; cbn [sm fst snd] in *; [ring|]. rewrite IH, New. ring.
Qed.

Lemma prob_split c : forall n i (h : bool -> coins -> bool), (c < n)%nat ->
  (forall b w w', (forall j, j <> c -> w j = w' j) -> h b w = h b w') -> prob P i n (fun w => h (w c) w) =
  bias P (i + c) * prob P i n (h true) + (1 - bias P (i + c)) * prob P i n (h false).
Proof.
  induction c as [|c IH]; intros [|n] i h Hn R; try lia; cbn [prob put].
  - assert (Skip : forall b b' b'', (fun w => h b (put b' w)) = (fun w => h b (put b'' w))) by
      (intros; apply functional_extensionality; intro; apply R; intros [|j]; [contradiction|reflexivity]).
    rewrite (Skip true false true), (Skip false true false), Nat.add_0_r. ring.
  - assert (R' : forall b' b w w', (forall j, j <> c -> w j = w' j) -> h b (put b' w) = h b (put b' w')) by
      (intros b' b w w' H; apply R; intros [|j] Hj; cbn; auto).
    rewrite (IH n (S i) (fun b w => h b (put true w))), (IH n (S i) (fun b w => h b (put false w)))
      by (lia || apply R'). rewrite <- Nat.add_succ_comm. ring.
Qed.

(** More coins than [m] uses *)
Fixpoint size {A} (k : nat) (m : prog A) : nat :=
  match m with
  | Ret _ => 0
  | Ask _ u v g => Nat.max (S (coin k u v)) (Nat.max (size (S k) (g true)) (size (S k) (g false)))
  end.
Lemma answer_uses {A} (m : prog A) : forall k (w w' : coins),
  (forall i, (i < size k m)%nat -> (k <= fst (of_nat i))%nat -> w i = w' i) -> answer k m w = answer k m w'.
Proof.
  induction m as [a|t u v g IH]; intros k w w' H; cbn [answer size] in *; [reflexivity|].
  rewrite (H (coin k u v)); [|lia|unfold coin; now rewrite cancel_of_to].
  apply IH. intros i H1 H2. apply H; [destruct (w' _); lia|lia].
Qed.
Lemma answer_depends {A} (m : prog A) (ev : A -> bool) : depends (size 0 m) (fun w => ev (answer 0 m w)).
Proof. intros w w' H. f_equal. apply answer_uses. auto. Qed.

Lemma prob_answer {A} ev n (m : prog A) : forall k, (size k m <= n)%nat ->
  prob P 0 n (fun w => ev (answer k m w)) = Pr P m ev.
Proof.
  induction m as [a|t u v g IH]; intros k Hn; [apply (prob_const n (ev a))|].
  unfold Pr in *. cbn [answer expect size] in *. rewrite <- !(IH _ (S k)) by lia.
  rewrite (prob_split (coin k u v) n 0 (fun b w => ev (answer (S k) (g b) w))); [|lia|].
  - unfold bias, coin. cbn [Nat.add]. now rewrite !cancel_of_to.
  - intros b w w' H. f_equal. apply answer_uses. intros i _ Hi. apply H. intros ->.
    unfold coin in Hi. rewrite cancel_of_to in Hi. cbn in Hi. lia.
Qed.

Lemma Pr_counting {A} r n (m : prog A) :
  forall c, Pr P (counting r c m) (fun a => n <=? a) = regret_at_least P r m (n - c).
Proof.
  unfold Pr. induction m as [a|t u v g IH]; intro c; cbn [counting expect regret_at_least].
  - destruct (Nat.leb_spec n c), (Nat.eqb_spec (n - c) 0); try reflexivity; lia.
  - rewrite !IH. destruct (r u v); [rewrite Nat.sub_succ_r|]; reflexivity.
Qed.

(** Monotone convergence *)
Lemma expectation_limit {A} r (m : nat -> prog A) (x : R) :
  (forall T w, (regret r (m T) w <= regret r (m (S T)) w)%nat) ->
  is_lim_seq (fun T => expected_regret P r (m T)) x -> expectation P (total_regret r m) x.
Proof.
  intros Inc Lim. set (c := fun T => counting r 0 (m T)). set (p := fun n T => Pr P (c T) (fun a => n <? a)).
  set (y := fun n => real (Lim_seq (p n))). exists y.
  assert (U : forall n, measure P (total_regret r m n) (y n) /\ is_lim_seq (p n) (y n) /\ forall T, p n T <= y n).
  { intro n. apply (measure_union (fun T => size 0 (c T)) (fun T w => n <? answer 0 (c T) w)).
    - intro T. apply (answer_depends (c T) (fun a => n <? a)).
    - intros T k Hk. now apply (prob_answer (fun a => n <? a)).
    - intros T w. rewrite !Nat.ltb_lt. exact (fun H => Nat.lt_le_trans _ _ _ H (Inc T w)). }
  split; [apply U|].
  assert (Sum : forall T k, (maxT (m T) <= k)%nat -> sm (fun n => p n T) k = expected_regret P r (m T)).
  { intros T k H. rewrite <- (regret_law P r _ (m T) k H). f_equal.
    apply functional_extensionality. intro n. exact (Pr_counting r (S n) (m T) 0). }
  apply is_lim_seq_spec. intro eps. destruct (proj2 (is_lim_seq_spec _ _) Lim eps) as [T HT].
  specialize (HT T (le_n _)). apply Rabs_def2 in HT. exists (maxT (m T)). intros k Hk.
  assert (expected_regret P r (m T) <= sm y k) by (rewrite <- (Sum T k Hk); apply sm_le; intros; apply U).
  assert (sm y k <= x); [|apply Rabs_def1; lra].
  refine (is_lim_seq_le (fun T => sm (fun n => p n T) k) _ (sm y k) x _ _ Lim).
  - intro T'. rewrite <- (Sum T' (k + maxT (m T'))%nat) by lia. apply sm_longer; [|lia].
    intro. apply Pr_nonneg, P01.
  - clear - U. induction k as [|k IH]; [apply is_lim_seq_const|]. apply is_lim_seq_plus'; [exact IH|apply U].
Qed.
End Space.

Theorem program_on_coins : program_on_coins_statement.
Proof.
  intros P P01. split; [exact (measure_finite P P01)|]. intros A m ev.
  rewrite <- (prob_answer P ev (size 0 m) m 0) by auto. now apply measure_finite, answer_depends.
Qed.

Lemma counting_ge {A} r w (m : prog A) : forall k c, (c <= answer k (counting r c m) w)%nat.
Proof. induction m as [a|t u v g IH]; intros k c; auto. eapply Nat.le_trans; [|apply IH]. destruct (r u v); auto. Qed.
Lemma refines_regret {A} r w (m m' : prog (option A)) : refines m m' ->
  forall k c, (answer k (counting r c m) w <= answer k (counting r c m') w)%nat.
Proof. induction 1; intros k0 c; cbn [counting answer]; auto using counting_ge. Qed.
Lemma refines_answer {A} w (m m' : prog (option A)) : refines m m' ->
  forall k, answer k m w <> None -> answer k m' w = answer k m w.
Proof. induction 1; intro k0; cbn [answer]; [congruence|auto|auto]. Qed.
Lemma first_rounds_regret {A} r w T : forall (m : prog A) k c,
  (answer k (counting r c (first_rounds T m)) w <= answer k (counting r c (first_rounds (S T) m)) w)%nat.
Proof. induction T; intros [a|t u v g] k c; auto using counting_ge. apply IHT. Qed.

Theorem horizon_limits : horizon_limits_statement.
Proof.
  intros P A run x P01 Ref. assert (Cost : forall r,
    is_lim_seq (fun F => expected_regret P r (run F)) x -> expectation P (total_regret r run) x).
  { intro r. apply expectation_limit; auto. intros F w. now apply refines_regret. }
  split; [|split; [exact Cost|]].
  - intro Hx. apply Cost, is_lim_seq_ext with (2 := Hx). intro F.
    induction (run F) as [a|t u v k IH]; cbn; [reflexivity|]. now rewrite !IH.
  - intros ev H0 Hx. apply is_lim_seq_unique, (f_equal real) in Hx. cbn in Hx. rewrite <- Hx.
    apply (measure_union P P01 (fun F => size 0 (run F)) (fun F w => ev (answer 0 (run F) w))).
    + intro F. now apply answer_depends.
    + intros F k Hk. now apply (prob_answer P ev k (run F) 0).
    + intros F w H. rewrite (refines_answer w _ _ (Ref F)); congruence.
Qed.

Lemma finite_almost_surely P X x : expectation P X x -> measure P (fun w => forall n, X n w) 0.
Proof.
  intros (y & Y & H). split; [intros z (c & _ & _ & W); exact (W O)|]. intros z Hz.
  pose proof (is_lim_seq_minus' _ _ _ _ (proj1 (is_lim_seq_incr_1 _ _) H) H) as L. rewrite Rminus_eq_0 in L.
  destruct (proj2 (is_lim_seq_spec _ _) L (mkposreal z Hz)) as [N HN]. specialize (HN N (le_n _)).
  apply Rabs_def2 in HN. cbn in HN. destruct (proj2 (Y N) z ltac:(lra)) as (c & D & C & W). exists c. auto.
Qed.

Theorem endless_regret_on_coins : endless_regret_on_coins_statement.
Proof.
  intros P r run bound P01 (_ & Ag & _ & (x & Hx & Hle & _) & _) R_oo. assert (X : expectation P R_oo x).
  { apply expectation_limit; auto. intros T w.
    rewrite (agree_first_rounds T (run T T) (run (S T) (S T))) by (apply Ag; lia). apply first_rounds_regret. }
  split; [exact (finite_almost_surely P _ x X)|now exists x].
Qed.

Theorem dueltest_on_coins : dueltest_on_coins_statement.
Proof.
  intros P stop d g u v HP Hs Hpr Hd Huv Hg Gap run. assert (Ne : P u v <> 1/2).
  { intro E. rewrite E, Rminus_eq_0, Rabs_R0 in Gap. lra. }
  destruct (lem_app_dueltest_time P stop d g u v HP Hpr Hd Hg Gap) as [[_ (x & Hx & Hb)] _].
  destruct (lem_app_dueltest_correct P stop d u v HP Hs Hpr Hd Huv Ne) as [_ [_ (q & Hq & Hp)]].
  pose proof (fun x => horizon_limits P arm run x (proj1 HP) (fun F => DT_refines stop F d u v)) as Lim.
  assert (X : expectation P (stopping_time run) x) by now apply Lim.
  split; [now exists x|]. split; [exact (finite_almost_surely P _ x X)|]. exists q. split; [now apply Lim|exact Hp].
Qed.
