(** * The paper's theorems, of the rule that the code decides with

    The theorems hold for every rule that is [sound] and [prompt], or [admissible].  Here the same statements
    are made of rules that decide as the float code does ([coded]).  Up to 2^60 duels a match, policies are
    the code's ([code_runs]). *)
From Coq Require Import Classical_Prop FunctionalExtensionality.
From Coq Require Import Reals Lra Psatz Lia Arith List.
From Coquelicot Require Import Rcomplements.
From TGITE Require Import Setting Algorithms Statements Program DuelTest BKT TreeAscent MainText ScreenAndReplace.
From TGITE Require Import BudgetedDuelTest BAI Weak Strong KnownGap Trees FloatCode.
From TGITE Require Tree.
Open Scope R_scope.

(** [log] is math.log, and [log_inverse d] the level's delta.log_inverse.  Up to 2^60 duels and at levels down to
    exp (- 2^32) the rule [stop] is the code's; beyond, it is another rule, which is sound or prompt. *)
Definition coded (log log_inverse : R -> R) (beyond : rule -> Prop) (stop : rule) : Prop :=
  exists other, beyond other /\ forall d n s, let within := held d /\ counted n s in
  (within -> stop d n s = code_rule log log_inverse d n s) /\ (~ within -> stop d n s = other d n s).

(** The same of a budgeted rule, up to 2^52 duels. *)
Definition coded_budgeted (log log_inverse : R -> R) (r : budgeted_rule) : Prop :=
  exists other, admissible other /\ forall g d n s, let within := 0 < g <= 1/2 /\ held d /\ counted_52 n s in
  (within -> same_at r (code_budgeted log log_inverse) g d n s) /\ (~ within -> same_at r other g d n s).

(** There are such rules, and they have the properties that the theorems ask for. *)
Definition code_is_covered_statement : Prop := forall log log_inverse, logs_near log log_inverse ->
  (exists stop, coded log log_inverse sound stop /\ coded log log_inverse prompt stop) /\
  (forall stop, coded log log_inverse sound stop -> sound stop) /\
  (forall stop, coded log log_inverse prompt stop -> prompt stop) /\
  (exists r, coded_budgeted log log_inverse r) /\ forall r, coded_budgeted log log_inverse r -> admissible r.

(** ** The same runs *)

(** Two tests are the same from the level [low] on, and so are the policies with them if their levels are [fine]. *)
Definition fine (low : R) (L : nat) (x : R) : Prop := 8 * (2 ^ L) ^ 3 * low <= x < 1.
Definition same_runs {cv : conventions} (test test' : R -> arm -> arm -> prog (option arm)) (low : R) N L b : Prop :=
  (forall d u v, low <= d < 1 -> test d u v = test' d u v) /\
  (forall delta, fine low L delta -> TG_ITE_BAI test N L b delta = TG_ITE_BAI test' N L b delta) /\
  (forall eps k, fine low L eps -> fine low L (epoch_level k) ->
     TG_ITE_Weak test N L eps k b = TG_ITE_Weak test' N L eps k b) /\
  (forall H, fine low L (horizon_level H) ->
     TG_ITE_Strong_KnownHorizon test N L H b = TG_ITE_Strong_KnownHorizon test' N L H b) /\
  (forall k, fine low L (phase_level k) -> TG_ITE_Strong_Anytime test N L k b = TG_ITE_Strong_Anytime test' N L k b).

Definition code_runs_statement : Prop := forall log log_inverse (cv : conventions) N L b,
  balanced_tree N L -> (b < N)%nat ->
  (forall beyond stop F, coded log log_inverse beyond stop -> INR F <= 2 ^ 60 ->
     same_runs (DT (code_rule log log_inverse) F) (DT stop F) (exp (- 2 ^ 32)) N L b) /\
  (forall r g low, coded_budgeted log log_inverse r -> 0 < g <= 1/2 -> exp (- 2 ^ 32) <= low ->
     budget_real g low + 1 <= 2 ^ 52 -> same_runs (BDT (code_budgeted log log_inverse) g) (BDT r g) low N L b).

(** ** The paper's statements, with [coded] rules for [sound], [prompt] and [admissible] ones *)

Ltac twin X :=
  let T := eval unfold X in X in
  let T := eval pattern sound, prompt, admissible in T in
  match T with ?f _ _ _ =>
    let T := eval cbv beta in (forall log log_inverse, logs_near log log_inverse ->
      f (coded log log_inverse sound) (coded log log_inverse prompt) (coded_budgeted log log_inverse)) in
    exact T
  end.
Definition code_dueltest_correct_statement : Prop := ltac:(twin lem_app_dueltest_correct_statement).
Definition code_dueltest_time_statement : Prop := ltac:(twin lem_app_dueltest_time_statement).
Definition code_bkt_correct_statement : Prop := ltac:(twin lem_app_bkt_subset_correct_statement).
Definition code_bkt_cost_statement : Prop := ltac:(twin lem_app_bkt_subset_cost_statement).
Definition code_pass_correct_statement : Prop := ltac:(twin thm_app_plr_correctness_statement).
Definition code_pass_cost_statement : Prop := ltac:(twin thm_app_plr_cost_statement).
Definition code_main_text_pass_statement : Prop := ltac:(twin thm_plr_repair_main_statement).
Definition code_one_step_repair_statement : Prop := ltac:(twin lem_app_one_step_repair_statement).
Definition code_epoch_regret_statement : Prop := ltac:(twin lem_app_screen_epoch_regret_statement).
Definition code_bai_statement : Prop := ltac:(twin cor_tlcr_bai_statement).
Definition code_tail_statement : Prop := ltac:(twin thm_app_online_weak_statement).
Definition code_weak_statement : Prop := ltac:(twin cor_app_weak_warm_start_statement).
Definition code_weak_delta_statement : Prop := ltac:(twin cor_app_weak_high_confidence_warm_start_statement).
Definition code_strong_known_statement : Prop := ltac:(twin thm_app_strong_known_statement).
Definition code_strong_anytime_statement : Prop := ltac:(twin thm_app_strong_anytime_statement).
Definition code_leading_term_statement : Prop := ltac:(twin strong_anytime_leading_term_statement).
Definition code_budgeted_test_statement : Prop := ltac:(twin lem_budgeted_dueltest_main_statement).
Definition code_budgeted_bkt_statement : Prop := ltac:(twin lem_app_budgeted_bkt_statement).
Definition code_budgeted_pass_statement : Prop := ltac:(twin lem_app_budgeted_tree_ascent_statement).
Definition code_budgeted_epoch_statement : Prop := ltac:(twin lem_app_budgeted_screen_epoch_statement).
Definition code_known_gap_statement : Prop := ltac:(twin thm_known_gap_extension_main_statement).

(** * Proofs *)

Theorem code_is_covered : code_is_covered_statement.
Proof.
  intros log log_inverse Near. destruct (float_dueltest log log_inverse Near) as (_ & ideal & IS & IP & Same & _).
  destruct (float_budgeted log log_inverse Near) as (_ & ideal' & IA & Same' & _).
  assert (At : forall (beyond : rule -> Prop) stop d n s, beyond ideal -> coded log log_inverse beyond stop ->
    exists good, beyond good /\ stop d n s = good d n s).
  { intros beyond stop d n s B (other & O & H). destruct (H d n s) as [H1 H2].
    destruct (classic (held d /\ counted n s)); [exists ideal|exists other]; split; auto. rewrite H1, Same; tauto. }
  split; [exists ideal; split; exists ideal; split; auto; intros d n s; split; auto; intros [A B]; now apply Same|].
  split; [|split; [|split]].
  - intros stop H d n s. destruct (At sound stop d n s IS H) as (good & G & ->). apply G.
  - intros stop H d n s. destruct (At prompt stop d n s IP H) as (good & G & ->). apply G.
  - exists ideal', ideal'. split; [exact IA|]. intros g d n s. split; [|repeat split]. intros (A & B & C).
    unfold same_at. destruct (Same' g d n s A B C) as (-> & -> & ->). repeat split.
  - intros r (other & O & H).
    assert (At' : forall g d n s, exists good, admissible good /\ same_at r good g d n s).
    { intros g d n s. destruct (H g d n s) as [H1 H2].
      destruct (classic (0 < g <= 1/2 /\ held d /\ counted_52 n s)) as [W|W]; [|exists other; auto].
      exists ideal'. split; [exact IA|]. unfold same_at. destruct (H1 W) as (-> & -> & ->). now apply Same'. }
    constructor; [intros g d n s|intros g d n s|intros n s|intros g d|intros g d].
    1-2: destruct (At' g d n s) as (good & G & -> & _); apply G.
    1: destruct (At' 0 0 n s) as (good & G & _ & -> & _); apply G.
    all: destruct (At' g d 0%nat 0%nat) as (good & G & _ & _ & ->); apply G.
Qed.

(** ** The same runs *)

Section Same.
Context {cv : conventions}.
Variables (test test' : R -> arm -> arm -> prog (option arm)) (low : R) (N L : nat).
Hypothesis low_pos : 0 < low.
Hypothesis same : forall d u v, low <= d < 1 -> test d u v = test' d u v.
Hypothesis test_leaves : forall d u v, leaves (one_of u v) (test d u v).
Hypothesis HB : balanced_tree N L.

Let in_time (l d : R) : Prop := l = d /\ low <= d < 1.
Let same_in_time l d u v : in_time l d -> test l u v = test' d u v.
Proof. intros [-> H]. now apply same. Qed.

Lemma leaves_real : 2 <= 2 ^ L /\ INR N <= 2 ^ L /\ 1 <= INR L <= 2 ^ L /\ low <= 4 * (2 ^ L) ^ 2 * low.
Proof.
  pose proof (L_real N L HB). pose proof (Rle_pow 2 1 L ltac:(lra) ltac:(apply HB)). pose proof (Nat.pow_gt_lin_r 2 L).
  assert (1 <= (2 ^ L) ^ 2) by (apply pow_R1_Rle; lra). assert (INR (2 ^ L) = 2 ^ L) as E by now rewrite pow_INR.
  repeat split; [lra|rewrite <- E; apply le_INR, HB|lra|rewrite <- E; apply le_INR; lia|nra].
Qed.

Lemma rounds_in_time (X : list arm) d :
  NoDup X -> (forall j, In j X -> (j < N)%nat) -> 4 * (2 ^ L) ^ 2 * low <= d < 1 -> rounds_alike in_time X d d.
Proof.
  intros ND HX Hd r Hj. split; [reflexivity|]. destruct leaves_real as (M2 & MN & _). set (M := 2 ^ L) in *.
  assert (0 < M * M * low) by positive. split; [|apply round_level_range; lra]. assert (0 < INR (S r) <= M) as Hr.
  { split; [positive|]. eapply Rle_trans; [apply le_INR, (Nat.le_trans _ (length X)); [lia|]|exact MN].
    rewrite <- (seq_length N 0). apply NoDup_incl_length; auto. intros i Hi. apply in_seq. specialize (HX i Hi). lia. }
  pose proof PI_RGT_0. pose proof PI_4. set (y := PI * PI * (INR (S r) * INR (S r))).
  assert (0 < y <= 16 * (M * M)) by (unfold y; split; [positive|apply Rmult_le_compat; nra]).
  apply (Rle_div_r low (6 * d) y); nra.
Qed.

Lemma BAI_same b eps : (b < N)%nat -> fine low L eps -> TG_ITE_BAI test N L b eps = TG_ITE_BAI test' N L b eps.
Proof.
  unfold fine. intros Hb He. destruct leaves_real as (M2 & _ & L1 & LP).
  assert (2 * 2 ^ L * (4 * (2 ^ L) ^ 2 * low) <= eps) as P2 by lra. assert (0 < eps) by nra.
  apply (ascend_alike _ (eq_sequential unit) in_time _ _ same_in_time) with (H := L); [|lia]. intros h Hh _.
  set (M := 2 ^ L) in *. set (p := 4 * M ^ 2 * low) in *. split; [apply rounds_in_time|split; [reflexivity|]].
  - apply Tree.Q_NoDup.
  - intros j Hj. now apply Tree.Q_sub in Hj.
  - split; [|pose proof (beta_range N L b HB Hb eps h ltac:(lra) Hh); lra].
    unfold beta, block_level, real_tree_levels. rewrite (mbar_real N L b HB Hb h), M_real by lia. fold M p.
    pose proof (pow2_ge1 h). set (m := 2 ^ h) in *.
    replace (eps / 2 * (m / (M - 1))) with (eps * m / (2 * (M - 1))) by (field; lra). apply (Rle_div_r p); [lra|nra].
  - split; [apply (Rle_div_r low eps); nra|apply (eta_range N L HB); lra].
Qed.

Lemma epoch_same c d : (c < N)%nat -> fine low L d -> ScreenReplace test N c d d = ScreenReplace test' N c d d.
Proof.
  intros Hc [Hd H1]. destruct leaves_real as (M2 & _ & _ & LP).
  assert (4 * (2 ^ L) ^ 2 * low <= d) by (set (M := 2 ^ L) in *; nra).
  assert (forall l, screen test d c l = screen test' d c l) as S.
  { induction l as [|j l IH]; [reflexivity|]. cbn [screen]. rewrite same by lra.
    f_equal. apply functional_extensionality. intro x. now rewrite IH. }
  unfold ScreenReplace. rewrite <- S. eapply obind_ext; [apply screen_leaves; auto; apply others_NoDup|].
  intros [|j B] [NB IB]; [reflexivity|]. destruct (entrants N c (j :: B) Hc NB IB) as (E1 & E2 & _).
  now apply (BKT_alike _ (eq_sequential unit) in_time _ _ same_in_time), rounds_in_time.
Qed.

Lemma all_same b : (b < N)%nat -> same_runs test test' low N L b.
Proof.
  assert (Down : forall y x, fine low L x -> x <= y < 1 -> fine low L y) by (unfold fine; intros; lra).
  intro Hb. split; [exact same|split; [intros; now apply BAI_same|split; [|split]]].
  - intros eps k He Hk.
    assert (G : forall i s c, (c < N)%nat -> (s + i = S k)%nat -> epochs test N i s c = epochs test' N i s c).
    { induction i as [|i IH]; intros s c Hc E; [reflexivity|]. cbn [epochs]. rewrite <- epoch_same; auto.
      - eapply obind_ext; [now apply ScreenReplace_range|]. intros x Hx. apply IH; auto. lia.
      - apply (Down _ _ Hk). split; [|apply epoch_level_range]. apply Rinv_le_contravar; [positive|].
        apply Rle_pow; [lra|lia]. }
    unfold TG_ITE_Weak. rewrite <- BAI_same by auto. eapply obind_ext; [now apply TreeAscent_range|intros; now apply G].
  - intros H HH. unfold TG_ITE_Strong_KnownHorizon. now rewrite BAI_same.
  - intros k Hk.
    assert (G : forall i s c, (c < N)%nat -> (s + i = S k)%nat -> phases test N L i s c = phases test' N L i s c).
    { induction i as [|i IH]; intros s c Hc E; [reflexivity|]. cbn [phases]. rewrite <- BAI_same; auto.
      - eapply obind_ext; [now apply TreeAscent_range|]. intros x Hx. f_equal. apply IH; auto. lia.
      - apply (Down _ _ Hk). split; [|apply phase_level_range]. apply Rinv_le_contravar; [positive|].
        apply Rle_pow; [lra|]. apply Nat.pow_le_mono_r; lia. }
    now apply G.
Qed.
End Same.

Theorem code_runs : code_runs_statement.
Proof.
  intros log log_inverse cv N L b HB Hb. pose proof (exp_pos (- 2 ^ 32)) as E0.
  assert (Held : forall d, exp (- 2 ^ 32) <= d < 1 -> held d).
  { intros d [H1 H2]. split; [lra|]. rewrite ln_Rinv by lra.
    assert (- 2 ^ 32 <= ln d); [|lra]. rewrite <- (ln_exp (- 2 ^ 32)). now apply ln_le. } split.
  - intros beyond stop F (other & _ & H) HF. apply all_same; auto; [|intros; apply DT_leaves].
    intros d u v Hd. apply seqtest_ext; [|reflexivity]. intros n s Hn Hs. symmetry. apply H. split; [now apply Held|].
    split; [lia|]. split; [lia|]. apply Rle_trans with (INR F); [apply le_INR; lia|exact HF].
  - intros r g low (other & _ & H) Hg Hl HM. apply all_same; auto; [lra| |intros; apply BDT_leaves].
    intros d u v Hd. assert (held d) as Hh by (apply Held; lra).
    pose proof (budget_real_pos g d ltac:(lra) (proj1 Hh)) as B0. destruct (ceil_spec _ B0) as [C1 C2].
    assert (budget_real g d <= budget_real g low).
    { apply Rmult_le_compat_l; [positive|]. apply ln_le; [positive|].
      apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra. }
    apply BDT_ext; cbn [bbudget code_budgeted]; [apply INR_lt; simpl; lra|lra|intros n s Hn].
    destruct (H g d n s) as [H1 _]. unfold same_at in *. destruct H1 as (-> & -> & ->); auto.
Qed.

(** ** The twins *)

Ltac by_paper X := intros log log_inverse Near; destruct (code_is_covered log log_inverse Near) as (_ & S & P & _ & A);
  intros; first [eapply X; eauto; fail | split; intros; eapply X; eauto; fail
    | split; [|split; intros]; eapply X; eauto; fail | edestruct X as [T_0 B]; eauto].
Theorem code_dueltest_correct : code_dueltest_correct_statement. Proof. by_paper lem_app_dueltest_correct. Qed.
Theorem code_dueltest_time : code_dueltest_time_statement. Proof. by_paper lem_app_dueltest_time. Qed.
Theorem code_bkt_correct : code_bkt_correct_statement. Proof. by_paper lem_app_bkt_subset_correct. Qed.
Theorem code_bkt_cost : code_bkt_cost_statement. Proof. by_paper lem_app_bkt_subset_cost. Qed.
Theorem code_pass_correct : code_pass_correct_statement. Proof. by_paper thm_app_plr_correctness. Qed.
Theorem code_pass_cost : code_pass_cost_statement. Proof. by_paper thm_app_plr_cost. Qed.
Theorem code_main_text_pass : code_main_text_pass_statement. Proof. by_paper thm_plr_repair_main. Qed.
Theorem code_one_step_repair : code_one_step_repair_statement. Proof. by_paper lem_app_one_step_repair. Qed.
Theorem code_epoch_regret : code_epoch_regret_statement. Proof. by_paper lem_app_screen_epoch_regret. Qed.
Theorem code_bai : code_bai_statement. Proof. by_paper cor_tlcr_bai. Qed.
Theorem code_tail : code_tail_statement. Proof. by_paper thm_app_online_weak. Qed.
Theorem code_weak : code_weak_statement. Proof. by_paper cor_app_weak_warm_start. Qed.
Theorem code_weak_delta : code_weak_delta_statement. Proof. by_paper cor_app_weak_high_confidence_warm_start. Qed.
Theorem code_strong_known : code_strong_known_statement. Proof. by_paper thm_app_strong_known. Qed.
Theorem code_strong_anytime : code_strong_anytime_statement. Proof. by_paper thm_app_strong_anytime. Qed.
Theorem code_leading_term : code_leading_term_statement. Proof. by_paper strong_anytime_leading_term. Qed.
Theorem code_budgeted_test : code_budgeted_test_statement. Proof. by_paper lem_budgeted_dueltest_main. Qed.
Theorem code_budgeted_bkt : code_budgeted_bkt_statement. Proof. by_paper lem_app_budgeted_bkt. Qed.
Theorem code_budgeted_pass : code_budgeted_pass_statement. Proof. by_paper lem_app_budgeted_tree_ascent. Qed.
Theorem code_budgeted_epoch : code_budgeted_epoch_statement. Proof. by_paper lem_app_budgeted_screen_epoch. Qed.
Theorem code_known_gap : code_known_gap_statement. Proof. by_paper thm_known_gap_extension_main. Qed.
