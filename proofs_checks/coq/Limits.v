(** * Rounds, regret and unbounded horizons

    A test that its horizon cuts off has used [F] rounds, and every epoch uses at least one.  So within the first
    [T] rounds no run notices the horizon [F] and the number [k] of epochs once they are at least [T] ([agree]),
    and these rounds are played ([plays]).  Their expected regret [regret_until] is E[R_T] of the endless policy,
    and its limit is E[R_oo] ([CoinTossing]). *)
From Coq Require Import FunctionalExtensionality.
From Coq Require Import Reals Lra Psatz Lia Bool Arith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT.
Open Scope R_scope.

(** What the policies need of a pairwise test, [test F] having horizon [F]: it answers one of its two
    arms or runs out, loses the winner with probability at most a [share] of its level [d], costs at most
    [base + slope ln(1/d)] duels in expectation and runs out with at most an [F]-th of that as its
    probability; it asks about no other pair, asks at least once, and notices its horizon in round [F]
    only ([uncut]).  DuelTest and BudgetedDuelTest are the instances. *)
Fixpoint uncut {A} (T : nat) (m : prog (option A)) : bool :=
  match T with
  | O => true
  | S T' => match m with
            | Ret o => negb (ran_out o)
            | Ask _ _ _ k => uncut T' (k true) && uncut T' (k false)
            end
  end.
Fixpoint duels_only {A} (u v : arm) (m : prog A) : Prop :=
  match m with Ret _ => True | Ask _ u' v' k => u' = u /\ v' = v /\ forall b, duels_only u v (k b) end.
Definition starts {A} (m : prog A) : Prop := match m with Ret _ => False | Ask _ _ _ _ => True end.

Record pairwise_test (P : arm -> arm -> R) (N : nat) (w : arm)
    (test : nat -> R -> arm -> arm -> prog (option arm)) (share base slope : R) : Prop := {
  pt_P01 : forall u v, 0 <= P u v <= 1;
  pt_w : (w < N)%nat;
  pt_share : 0 <= share <= 1;
  pt_base : 0 <= base;
  pt_slope : 0 <= slope;
  pt_answers : forall F d u v, leaves (one_of u v) (test F d u v);
  pt_correct : forall F d j, 0 < d < 1 -> (j < N)%nat -> j <> w -> good P (test F) w share d j;
  pt_cost : forall F d u v, 0 < d < 1 -> (u < N)%nat -> (v < N)%nat -> u <> v ->
    ET P (test F d u v) <= base + slope * ln (/ d);
  pt_cut : forall F d u v, 0 < d < 1 -> (u < N)%nat -> (v < N)%nat -> u <> v ->
    INR F * Pr P (test F d u v) ran_out <= base + slope * ln (/ d);
  pt_duels : forall F d u v, duels_only u v (test F d u v);
  pt_starts : forall F d u v, 0 < d < 1 -> (1 <= F)%nat -> starts (test F d u v);
  pt_uncut : forall F d u v T, (T <= F)%nat -> uncut T (test F d u v) = true;
  pt_refines : forall F d u v, refines (test F d u v) (test (S F) d u v);
  pt_agree : forall F F' d u v T, (T <= F)%nat -> (T <= F')%nat -> agree T (test F d u v) (test F' d u v) }.

Definition dueltest_is_pairwise_test_statement : Prop := forall P stop N w g,
  assump_condorcet_gap P N w g -> sound stop -> prompt stop ->
  pairwise_test P N w (DT stop) (1/20) (dt_base g) (dt_slope g).

(** Monotone convergence: [policy n] is any program whose first [n] rounds are those of an endless
    policy, so that [regret_until T (policy T)] is E[R_T]. *)
Definition regret_limit_statement : Prop := forall P regretful A (policy : nat -> prog A) bound,
  (forall u v, 0 <= P u v <= 1) ->
  (forall T n n', (T <= n)%nat -> (T <= n')%nat -> agree T (policy n) (policy n')) ->
  (forall n, expected_regret P regretful (policy n) <= bound) ->
  exists R_oo : R, is_lim_seq (fun T => regret_until P regretful T (policy T)) R_oo /\ R_oo <= bound /\
    forall T, regret_until P regretful T (policy T) <= R_oo.

(** ** What these definitions mean *)

(** Programs that agree for [T] rounds have the same first [T] rounds, which are [T] when they are played. *)
Definition first_rounds_spec_statement : Prop := forall A T (m m' : prog A),
  (agree T m m' -> first_rounds T m = first_rounds T m') /\
  (plays T m -> forall P, ET P (first_rounds T m) = INR T).

(** A duel is free of weak regret when the winner takes part, and of strong regret when it meets itself. *)
Definition regretful_spec_statement : Prop := forall w u v : arm,
  (weak_regretful w u v = false <-> u = w \/ v = w) /\ (strong_regretful w u v = false <-> u = w /\ v = w).

(** The tail probabilities [regret_at_least] are those of a regret with mean [expected_regret]. *)
Definition regret_law_statement : Prop := forall P regretful A (m : prog A) K, (maxT m <= K)%nat ->
  sm (fun n => regret_at_least P regretful m (S n)) K = expected_regret P regretful m.

(** * Proofs *)

(** ** Prefixes *)

Lemma agree_refl {A} T : forall m : prog A, agree T m m.
Proof. induction T as [|T IH]; intros [a|t u v k]; cbn; auto. Qed.

Lemma agree_first_rounds {A} T : forall m m' : prog A, agree T m m' -> first_rounds T m = first_rounds T m'.
Proof.
  induction T as [|T IH]; intros [a|t u v k] [a'|t' u' v' k'] H; cbn in *; try contradiction; auto.
  destruct H as (-> & -> & H). f_equal. apply functional_extensionality. intro b. apply IH, H.
Qed.

Theorem first_rounds_spec : first_rounds_spec_statement.
Proof.
  intros A T m m'. split; [apply agree_first_rounds|]. intros H P. revert m H.
  induction T as [|T IH]; intros [a|t u v k] H; cbn [plays first_rounds ET] in *; try contradiction; try (simpl; ring).
  rewrite S_INR, !IH by apply H. ring.
Qed.

Lemma agree_le {A} T : forall T' (m m' : prog A), (T' <= T)%nat -> agree T m m' -> agree T' m m'.
Proof.
  induction T as [|T IH]; intros [|T'] m m' HT H; cbn; auto; [lia|].
  destruct m as [a|t u v k], m' as [a'|t' u' v' k']; cbn in H; auto.
  destruct H as (-> & -> & H). repeat split. intro b. apply IH; [lia|apply H].
Qed.

Lemma agree_bind {A B} T : forall (m m' : prog A) (k k' : A -> prog B),
  agree T m m' -> (forall a, agree T (k a) (k' a)) -> agree T (bind m k) (bind m' k').
Proof.
  induction T as [|T IH]; intros m m' k k' H K; [exact Logic.I|].
  destruct m as [a|t u v f], m' as [a'|t' u' v' f']; cbn in H; try contradiction.
  - subst a'. cbn [bind]. apply K.
  - destruct H as (-> & -> & H). cbn. repeat split. intro b. apply IH; [apply H|].
    intro a. apply (agree_le (S T)); [lia|apply K].
Qed.

(** What follows a program that has used a round need only agree for one round less. *)
Lemma agree_bind_later {A B} T (m m' : prog A) (k k' : A -> prog B) :
  starts m -> agree (S T) m m' -> (forall a, agree T (k a) (k' a)) -> agree (S T) (bind m k) (bind m' k').
Proof.
  intros S H K. destruct m as [a|t u v f]; [destruct S|]. destruct m' as [a'|t' u' v' f']; cbn in H; [contradiction|].
  destruct H as (-> & -> & H). cbn. repeat split. intro b. apply agree_bind; auto.
Qed.

Lemma agree_obind {A B} T (m m' : prog (option A)) (k k' : A -> prog (option B)) :
  agree T m m' -> (forall a, agree T (k a) (k' a)) -> agree T (obind m k) (obind m' k').
Proof. intros H K. unfold obind. apply agree_bind; auto. intros [a|]; [apply K|apply agree_refl]. Qed.

Lemma agree_obind_later {A B} T (m m' : prog (option A)) (k k' : A -> prog (option B)) :
  starts m -> agree (S T) m m' -> (forall a, agree T (k a) (k' a)) -> agree (S T) (obind m k) (obind m' k').
Proof. intros S H K. unfold obind. apply agree_bind_later; auto. intros [a|]; [apply K|apply agree_refl]. Qed.

Lemma plays_le {A} T : forall T' (m : prog A), (T' <= T)%nat -> plays T m -> plays T' m.
Proof.
  induction T as [|T IH]; intros [|T'] m HT H; cbn; auto; [lia|].
  destruct m as [a|t u v k]; cbn in H; auto. intro b. apply IH; [lia|apply H].
Qed.

Lemma uncut_le {A} T : forall T' (m : prog (option A)), (T' <= T)%nat -> uncut T m = true -> uncut T' m = true.
Proof.
  induction T as [|T IH]; intros [|T'] m HT H; cbn in *; auto; [lia|].
  destruct m as [o|t u v k]; cbn in *; auto. apply andb_true_iff in H. destruct H as [H1 H2].
  apply andb_true_iff. split; apply IH; auto; lia.
Qed.

Lemma plays_obind {A B} (Q : option A -> Prop) T : forall (m : prog (option A)) (k : A -> prog (option B)),
  leaves Q m -> uncut T m = true -> (forall a, Q (Some a) -> plays T (k a)) -> plays T (obind m k).
Proof.
  unfold obind. induction T as [|T IH]; intros m k L U K; [exact Logic.I|].
  destruct m as [[a|]|t u v f]; cbn in U; [apply (K a L)|discriminate|].
  apply andb_true_iff in U. destruct U as [U1 U2]. destruct L as [L1 L2]. cbn.
  intros [|]; (apply IH; auto; intros a Ha; apply (plays_le (S T)); [lia|auto]).
Qed.

Lemma plays_obind_later {A B} (Q : option A -> Prop) T (m : prog (option A)) (k : A -> prog (option B)) :
  leaves Q m -> starts m -> uncut (S T) m = true -> (forall a, Q (Some a) -> plays T (k a)) -> plays (S T) (obind m k).
Proof.
  intros L S U K. destruct m as [a|t u v f]; [destruct S|]. cbn in U. apply andb_true_iff in U. destruct U as [U1 U2].
  destruct L as [L1 L2]. cbn. intros [|]; eapply (plays_obind Q T); eauto.
Qed.

Lemma uncut_obind {A B} (Q : option A -> Prop) T : forall (m : prog (option A)) (k : A -> prog (option B)),
  leaves Q m -> uncut T m = true -> (forall a, Q (Some a) -> uncut T (k a) = true) -> uncut T (obind m k) = true.
Proof.
  unfold obind. induction T as [|T IH]; intros m k L U K; [reflexivity|].
  destruct m as [[a|]|t u v f]; cbn in U; [apply (K a L)|discriminate|].
  apply andb_true_iff in U. destruct U as [U1 U2]. destruct L as [L1 L2]. cbn. apply andb_true_iff.
  split; (apply IH; auto; intros a Ha; apply (uncut_le (S T)); [lia|auto]).
Qed.

(** What always answers is not cut off. *)
Lemma leaves_uncut {A} T : forall m : prog (option A), leaves (fun o => ran_out o = false) m -> uncut T m = true.
Proof.
  induction T as [|T IH]; intros [o|t u v k] H; cbn in *; auto; [now rewrite H|]. now rewrite !IH by apply H.
Qed.

Lemma starts_obind {A B} (m : prog (option A)) (k : A -> prog (option B)) : starts m -> starts (obind m k).
Proof. intro H. destruct m; [destruct H|exact Logic.I]. Qed.

(** [uncut] as a cost, 0 or 1: the cost theorems of BKT, TreeAscent and ScreenAndReplace, which hold for
    anything that adds up along sequencing, then say that these are cut off only when a test is. *)
Definition cut_cost (T : nat) {A} (m : prog (option A)) : R := if uncut T m then 0 else 1.

Lemma cut_cost_additive T : additive (@cut_cost T).
Proof.
  split; [intros; unfold cut_cost; destruct T; reflexivity|]. intros A B Q m k c Hc L K. unfold cut_cost in *.
  destruct (uncut T m) eqn:U; [|destruct (uncut T (obind m k)); lra].
  destruct (Rlt_le_dec c 1) as [C1|C1]; [|destruct (uncut T (obind m k)); lra].
  rewrite (uncut_obind Q T m k L U); [lra|]. intros a Ha. specialize (K a Ha).
  destruct (uncut T (k a)); [reflexivity|lra].
Qed.

Lemma cut_cost_0 T {A} (m : prog (option A)) : cut_cost T m <= 0 -> uncut T m = true.
Proof. unfold cut_cost. destruct (uncut T m); [auto|lra]. Qed.

Lemma E_self_play P n c {A} (m : prog A) f : expect P (self_play n c m) f = expect P m f.
Proof. induction n as [|n IH]; cbn [self_play expect]; [reflexivity|]. rewrite !IH. ring. Qed.

(** ** Regret *)

Section RegretProofs.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Variable r : arm -> arm -> bool.

Lemma regret_until_agree {A} T (m m' : prog A) : agree T m m' -> regret_until P r T m = regret_until P r T m'.
Proof. intro H. unfold regret_until. now rewrite (agree_first_rounds T m m' H). Qed.

Lemma regret_until_le {A} T : forall m : prog A, regret_until P r T m <= expected_regret P r m.
Proof.
  unfold regret_until. induction T as [|T IH]; intros [a|t u v k]; cbn [first_rounds expected_regret];
    try apply Rle_refl.
  - apply (ER_nonneg P P01 r (Ask t u v k)).
  - apply Rplus_le_compat_l, conv_mono; auto.
Qed.

Lemma regret_until_mono {A} T : forall T' (m : prog A), (T <= T')%nat -> regret_until P r T m <= regret_until P r T' m.
Proof.
  unfold regret_until. induction T as [|T IH]; intros T' m HT.
  - destruct m; cbn [first_rounds expected_regret]; apply (ER_nonneg P P01).
  - destruct T' as [|T']; [lia|]. destruct m as [a|t u v k]; [apply Rle_refl|]. cbn [first_rounds expected_regret].
    apply Rplus_le_compat_l, conv_mono; auto; apply IH; lia.
Qed.

Lemma regret_at_least_range {A} (m : prog A) : forall n, 0 <= regret_at_least P r m n <= 1.
Proof.
  induction m as [a|t u v k IH]; intro n; cbn [regret_at_least]; [destruct (Nat.eqb n 0); cbn; lra|].
  split; [apply conv_ge|apply conv_le]; auto; apply IH.
Qed.

(** Markov's inequality *)
Lemma regret_markov {A} (m : prog A) : forall n, INR n * regret_at_least P r m n <= expected_regret P r m.
Proof.
  induction m as [a|t u v k IH]; intro n.
  - destruct n; cbn; lra.
  - destruct n as [|n]; [rewrite Rmult_0_l; apply (ER_nonneg P P01)|]. cbn [regret_at_least expected_regret].
    destruct (r u v); cbn [ind Nat.pred].
    + pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) (IH true n) (IH false n)) as M.
      destruct (regret_at_least_range (k true) n) as [_ A1], (regret_at_least_range (k false) n) as [_ A2].
      pose proof (conv_le (P u v) _ _ 1 (P01 u v) A1 A2). rewrite S_INR. lra.
    + pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) (IH true (S n)) (IH false (S n))) as M. lra.
Qed.

Lemma regret_at_least_0 {A} (m : prog A) : regret_at_least P r m 0 = 1.
Proof. induction m as [a|t u v k IH]; cbn; [reflexivity|]. destruct (r u v); cbn; rewrite !IH; ring. Qed.
End RegretProofs.

Theorem regret_law : regret_law_statement.
Proof.
  intros P r A m. induction m as [a|t u v k IH]; intros K HK; cbn [regret_at_least expected_regret maxT] in *.
  - clear HK. induction K as [|K IHK]; cbn; [reflexivity|]. cbn in IHK. rewrite IHK. ring.
  - destruct K as [|K]; [lia|].
    assert (forall f g : nat -> R, sm (fun n => P u v * f n + (1 - P u v) * g n) (S K)
      = P u v * sm f (S K) + (1 - P u v) * sm g (S K)) as Lin.
    { intros f g. now rewrite (sm_plus (fun n => P u v * f n) (fun n => (1 - P u v) * g n)), !sm_scal. }
    destruct (r u v); cbn [Nat.pred].
    + rewrite (Lin (regret_at_least P r (k true)) (regret_at_least P r (k false))), !sm_shift, !regret_at_least_0.
      rewrite !IH by lia. ring.
    + rewrite (Lin (fun n => regret_at_least P r (k true) (S n)) (fun n => regret_at_least P r (k false) (S n))).
      rewrite !IH by lia. ring.
Qed.

Theorem regretful_spec : regretful_spec_statement.
Proof.
  intros w u v. unfold weak_regretful, strong_regretful.
  destruct (Nat.eqb_spec u w), (Nat.eqb_spec v w); cbn; split; split; intro H; try discriminate; try tauto;
    destruct H; congruence.
Qed.

Theorem regret_limit : regret_limit_statement.
Proof.
  intros P r A policy bound P01 Ag Bd. set (f := fun T => regret_until P r T (policy T)).
  assert (Mono : forall T, f T <= f (S T)).
  { intro T. unfold f. rewrite (regret_until_agree P r T (policy T) (policy (S T))) by (apply Ag; lia).
    apply regret_until_mono; auto. }
  destruct (at_most_incr f bound Mono) as (_ & l & Hl & Hb).
  { intro T. eapply Rle_trans; [apply (regret_until_le P P01)|apply Bd]. }
  exists l. repeat split; auto. apply is_lim_seq_incr_compare; auto.
Qed.

Lemma duels_free P r u v {A} (m : prog A) : r u v = false -> duels_only u v m -> expected_regret P r m = 0.
Proof.
  intros Hr H. induction m as [a|t u' v' k IH]; cbn in *; [reflexivity|].
  destruct H as (-> & -> & H). rewrite Hr, !IH by apply H. ring.
Qed.

Lemma agree_sequential T : sequential (fun A => @agree (option A) T).
Proof. split; [intros; apply agree_refl|intros; apply agree_refl|intros; now apply agree_obind]. Qed.

(** ** DuelTest *)

Lemma seqtest_duels stop fin u v f : forall n s, duels_only u v (seqtest stop fin f n s u v).
Proof.
  induction f as [|f IH]; intros n s; cbn [seqtest duels_only]; auto. repeat split. intro b.
  destruct (stop _ _); [exact Logic.I|apply IH].
Qed.

Lemma seqtest_agree stop u v T : forall f f' n s, (T <= f)%nat -> (T <= f')%nat ->
  agree T (seqtest stop never f n s u v) (seqtest stop never f' n s u v).
Proof.
  induction T as [|T IH]; intros [|f] [|f'] n s H H'; try lia; try exact Logic.I.
  cbn. repeat split. intro b. destruct (stop _ _); [apply agree_refl|apply IH; lia].
Qed.

Lemma seqtest_uncut stop u v T : forall f n s, (T <= f)%nat -> uncut T (seqtest stop never f n s u v) = true.
Proof.
  induction T as [|T IH]; intros [|f] n s H; try reflexivity; [lia|]. cbn. apply andb_true_iff.
  split; (destruct (stop _ _) as [[|]|]; [destruct T; reflexivity|destruct T; reflexivity|apply IH; lia]).
Qed.

Theorem dueltest_is_pairwise_test : dueltest_is_pairwise_test_statement.
Proof.
  intros P stop N w g [HN Hg HP Hw Win Gap] Hs Hpr. pose proof (valid_01 P HP) as P01.
  constructor; auto using dt_base_nonneg, DT_leaves, DT_good, DT_refines.
  - lra.
  - left. apply dt_slope_pos. lra.
  - intros; apply DT_time; auto.
  - intros; apply DT_cut; auto.
  - intros; apply seqtest_duels.
  - intros F d u v _ HF. destruct F; [lia|exact Logic.I].
  - intros; now apply seqtest_uncut.
  - intros; now apply seqtest_agree.
Qed.
