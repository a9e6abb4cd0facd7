(** * Instances that meet the hypotheses of the policies' theorems

    Each example is a theorem with all its hypotheses about the instance, the rule and the tree discharged. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List.
Import ListNotations.
From TGITE Require Import Program Hoeffding Confidence DuelTest BKT BudgetedDuelTest Limits BAI Weak Strong KnownGap.
Open Scope R_scope.

(** The best of four arms, 2, beats the others by 3/10, and 0 beats 1 beats 3 beats 0 by 38/100. *)
Definition best : arm := 2%nat.
Definition start : arm := 0%nat.
Definition listed (u v : arm) (l : list (arm * arm)) : bool := existsb (fun p => Nat.eqb u (fst p) && Nat.eqb v (snd p)) l.
Definition winner_beats (u v : arm) : bool := listed u v [(2, 0); (2, 1); (2, 3)]%nat.
Definition cycle_beats (u v : arm) : bool := listed u v [(0, 1); (1, 3); (3, 0)]%nat.
Definition cyclic4 (u v : arm) : R :=
  if winner_beats u v then 8/10 else if winner_beats v u then 2/10 else
  if cycle_beats u v then 88/100 else if cycle_beats v u then 12/100 else 1/2.

(** The same winner among arms that all tie: no global gap. *)
Definition tied4 (u v : arm) : R :=
  if winner_beats u v then 8/10 else if winner_beats v u then 2/10 else 1/2.

#[local] Existing Instance standard.

Ltac each_arm u := destruct u as [|[|[|[|u]]]].

Example cyclic4_assumption : assump_condorcet_gap cyclic4 4 best (3/10).
Proof.
  unfold best. constructor; try lia; try lra.
  - split; intros u v; each_arm u; each_arm v; unfold cyclic4; cbn; lra.
  - intros j Hj Hjw. each_arm j; try lia; unfold cyclic4; cbn; lra.
  - intros u v Hu Hv Huv. each_arm u; each_arm v; try lia; unfold cyclic4; cbn; unfold Rabs; destruct (Rcase_abs _); lra.
Qed.

Example tied4_condorcet : condorcet tied4 4 best (3/10).
Proof.
  unfold best. constructor; try lia.
  - intros u v; each_arm u; each_arm v; unfold tied4; cbn; lra.
  - intros u v; each_arm u; each_arm v; unfold tied4; cbn; lra.
  - intros j Hj Hjw. each_arm j; try lia; unfold tied4; cbn; lra.
Qed.

Example tied4_no_global_gap g : 0 < g -> ~ assump_condorcet_gap tied4 4 best g.
Proof.
  intros Hg [_ _ _ _ _ Gap]. specialize (Gap 0%nat 1%nat ltac:(lia) ltac:(lia) ltac:(lia)).
  unfold tied4 in Gap; cbn in Gap. rewrite Rminus_eq_0, Rabs_R0 in Gap. lra.
Qed.

Example tree4 : balanced_tree 4 2.
Proof. constructor; cbn; lia. Qed.

Ltac discharge :=
  first [exact cyclic4_assumption | exact tied4_condorcet | exact tree4 | exact paper_budgeted_admissible
        | exact (proj1 paper_rule_admissible) | exact (proj2 paper_rule_admissible) | unfold start; lia | lra].

Example cor_tlcr_bai_cyclic4 :
  identifies cyclic4 best (fun F => TG_ITE_BAI (DT paper_rule F) 4 2 start (1/10)) (1/10)
    (C_bai * INR 3 / (3/10 * (3/10)) * (ln (/ (1/10)) + ln (/ (3/10)) + 1)).
Proof. apply cor_tlcr_bai with (w := best); discharge. Qed.

Example thm_app_online_weak_cyclic4 :
  endless_regret_at_most cyclic4 (weak_regretful best) (fun F k => online_tail (DT paper_rule F) 4 k start)
    (C_tail * INR 3 / (3/10 * (3/10)) * (ln (/ (3/10)) + 1)).
Proof. apply thm_app_online_weak; discharge. Qed.

Example cor_app_weak_warm_start_cyclic4 :
  endless_regret_at_most cyclic4 (weak_regretful best) (fun F k => TG_ITE_Weak (DT paper_rule F) 4 2 (1/4) k start)
    (C_weak * INR 3 / (3/10 * (3/10)) * (ln (/ (3/10)) + 1)).
Proof. apply cor_app_weak_warm_start with (w := best); discharge. Qed.

Example cor_app_weak_high_confidence_warm_start_cyclic4 :
  identifies cyclic4 best (fun F => TG_ITE_BAI (DT paper_rule F) 4 2 start (1/10)) (1/10)
    (C_bai * INR 3 / (3/10 * (3/10)) * (ln (/ (1/10)) + ln (/ (3/10)) + 1)) /\
  endless_regret_at_most cyclic4 (weak_regretful best) (fun F k => TG_ITE_Weak (DT paper_rule F) 4 2 (1/10) k start)
    (C_weak_delta * INR 3 / (3/10 * (3/10)) * (ln (/ (1/10)) + ln (/ (3/10)) + 1)).
Proof. apply cor_app_weak_high_confidence_warm_start with (w := best); discharge. Qed.

Example thm_app_strong_known_cyclic4 :
  horizon_regret_at_most cyclic4 (strong_regretful best) 1000
    (fun F => TG_ITE_Strong_KnownHorizon (DT paper_rule F) 4 2 1000 start)
    (C_known * INR 3 / (3/10 * (3/10)) * (ln (INR 1000 + 1) + ln (/ (3/10)) + 1) + 1).
Proof. apply thm_app_strong_known with (w := best); discharge. Qed.

Example thm_app_strong_anytime_cyclic4 :
  anytime_regret_at_most cyclic4 (strong_regretful best) 1000
    (fun F k => TG_ITE_Strong_Anytime (DT paper_rule F) 4 2 k start)
    (C_anytime * INR 3 / (3/10 * (3/10)) * (ln (INR 1000 + 1) + (ln (ln (INR 1000 + 2)) + 1) * (ln (/ (3/10)) + 1))
     + C'_anytime * (ln (ln (INR 1000 + 2)) + 1)).
Proof. apply thm_app_strong_anytime with (w := best); discharge. Qed.

Example thm_known_gap_extension_main_tied4 :
  known_gap_bai tied4 paper_budgeted 4 2 best (3/10) start (1/10) /\
  known_gap_weak tied4 paper_budgeted 4 2 best (3/10) start /\
  known_gap_weak_delta tied4 paper_budgeted 4 2 best (3/10) start (1/10) /\
  known_gap_strong_known tied4 paper_budgeted 4 2 best (3/10) start 1000 /\
  known_gap_strong_anytime tied4 paper_budgeted 4 2 best (3/10) start 1000.
Proof.
  pose proof thm_known_gap_extension_main as H. unfold thm_known_gap_extension_main_statement in H.
  destruct (H standard tied4 paper_budgeted 4%nat 2%nat best (3/10) start) as (A & B & C & D & E); try discharge.
  split; [apply A; lra|]. split; [exact B|]. split; [apply C; lra|]. split; [apply D; lia|apply E; lia].
Qed.
