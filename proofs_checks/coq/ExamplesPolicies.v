(** * No theorem on the policies is empty

    The theorems at an instance, their hypotheses discharged: the four arms of [Examples], the paper's
    tests, and for the known gap arms of which all but the winner tie. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT BudgetedDuelTest Limits BAI Weak Strong KnownGap Examples.
Open Scope R_scope.

#[local] Existing Instance standard.

Definition best : arm := 2%nat.
Definition start : arm := 0%nat.

(** Arm 2 beats the three others by 8/25, and these tie: there is no global gap. *)
Definition tied4 (u v : arm) : R :=
  if Nat.eqb u v || Nat.leb 4 u || Nat.leb 4 v then 1/2 else
  if Nat.eqb u best then 1/2 + 8/25 else if Nat.eqb v best then 1/2 - 8/25 else 1/2.

Example tied4_condorcet : condorcet tied4 4 best (8/25).
Proof.
  constructor; unfold best; try lia.
  - intros u v. unfold tied4. destruct (_ || _)%bool, (Nat.eqb u best), (Nat.eqb v best); lra.
  - intros u v. unfold tied4. rewrite (Nat.eqb_sym v u), <- !orb_assoc, (orb_comm (Nat.leb 4 v)), !orb_assoc.
    destruct (Nat.eqb_spec u v) as [->|Huv]; cbn [orb]; [lra|].
    destruct (_ || _)%bool; [lra|]. destruct (Nat.eqb_spec u best), (Nat.eqb_spec v best); try lra. congruence.
  - intros j Hj Hjw. unfold tied4, best. destruct j as [|[|[|[|j]]]]; try lia; cbn; lra.
Qed.

Example tied4_no_global_gap g : 0 < g -> ~ assump_condorcet_gap tied4 4 best g.
Proof.
  intros Hg [_ _ _ _ _ Gap]. specialize (Gap 0%nat 1%nat ltac:(lia) ltac:(lia) ltac:(lia)).
  unfold tied4 in Gap; cbn in Gap. rewrite Rminus_eq_0, Rabs_R0 in Gap. lra.
Qed.

Ltac discharge :=
  first [exact cyclic4_assumption | exact tied4_condorcet | exact tree4 | exact paper_budgeted_admissible
        | exact ps | exact pp | unfold start; lia | lra].

Example cor_tlcr_bai_cyclic4 :
  identifies cyclic4 best (fun F => TG_ITE_BAI (DT paper_rule F) 4 2 start (1/10)) (1/10)
    (C_bai * INR 3 / (8/25 * (8/25)) * (ln (/ (1/10)) + ln (/ (8/25)) + 1)).
Proof. apply cor_tlcr_bai with (w := best); discharge. Qed.

Example thm_app_online_weak_cyclic4 :
  endless_regret_at_most cyclic4 (weak_regretful best) (fun F k => online_tail (DT paper_rule F) 4 k start)
    (C_tail * INR 3 / (8/25 * (8/25)) * (ln (/ (8/25)) + 1)).
Proof. apply thm_app_online_weak; discharge. Qed.

Example cor_app_weak_warm_start_cyclic4 :
  endless_regret_at_most cyclic4 (weak_regretful best) (fun F k => TG_ITE_Weak (DT paper_rule F) 4 2 (1/4) k start)
    (C_weak * INR 3 / (8/25 * (8/25)) * (ln (/ (8/25)) + 1)).
Proof. apply cor_app_weak_warm_start; discharge. Qed.

Example cor_app_weak_high_confidence_warm_start_cyclic4 :
  identifies cyclic4 best (fun F => TG_ITE_BAI (DT paper_rule F) 4 2 start (1/10)) (1/10)
    (C_bai * INR 3 / (8/25 * (8/25)) * (ln (/ (1/10)) + ln (/ (8/25)) + 1)) /\
  endless_regret_at_most cyclic4 (weak_regretful best) (fun F k => TG_ITE_Weak (DT paper_rule F) 4 2 (1/10) k start)
    (C_weak_delta * INR 3 / (8/25 * (8/25)) * (ln (/ (1/10)) + ln (/ (8/25)) + 1)).
Proof. apply cor_app_weak_high_confidence_warm_start with (w := best); discharge. Qed.

Example thm_app_strong_known_cyclic4 :
  horizon_regret_at_most cyclic4 (strong_regretful best) 1000
    (fun F => TG_ITE_Strong_KnownHorizon (DT paper_rule F) 4 2 1000 start)
    (C_known * INR 3 / (8/25 * (8/25)) * (ln (INR 1000 + 1) + ln (/ (8/25)) + 1) + 1).
Proof. apply thm_app_strong_known; discharge. Qed.

Example thm_app_strong_anytime_cyclic4 :
  anytime_regret_at_most cyclic4 (strong_regretful best) 1000
    (fun F k => TG_ITE_Strong_Anytime (DT paper_rule F) 4 2 k start)
    (C_anytime * INR 3 / (8/25 * (8/25)) * (ln (INR 1000 + 1) + (ln (ln (INR 1000 + 2)) + 1) * (ln (/ (8/25)) + 1))
     + C'_anytime * (ln (ln (INR 1000 + 2)) + 1)).
Proof. apply thm_app_strong_anytime; discharge. Qed.

Example strong_anytime_leading_term_cyclic4 : exists T0, forall T F k, (T0 <= T)%nat ->
  regret_until cyclic4 (strong_regretful best) T (TG_ITE_Strong_Anytime (DT paper_rule F) 4 2 k start)
  <= (C_leading * INR 3 / (8/25 * (8/25)) + 1/100) * ln (INR T).
Proof. apply strong_anytime_leading_term; discharge. Qed.

Example thm_known_gap_extension_main_tied4 :
  known_gap_bai tied4 paper_budgeted 4 2 best (8/25) start (1/10) /\
  known_gap_weak tied4 paper_budgeted 4 2 best (8/25) start /\
  known_gap_weak_delta tied4 paper_budgeted 4 2 best (8/25) start (1/10) /\
  known_gap_strong_known tied4 paper_budgeted 4 2 best (8/25) start 1000 /\
  known_gap_strong_anytime tied4 paper_budgeted 4 2 best (8/25) start 1000.
Proof.
  pose proof thm_known_gap_extension_main as Main. unfold thm_known_gap_extension_main_statement in Main.
  destruct (Main standard tied4 paper_budgeted 4%nat 2%nat best (8/25) start) as (A & B & C & D & E); try discharge.
  split; [apply A; lra|]. split; [exact B|]. split; [apply C; lra|]. split; [apply D; lia|apply E; lia].
Qed.
