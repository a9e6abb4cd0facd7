(** * No theorem is empty, whatever the number of arms

    The theorems at an instance for every N >= 2, every gap and every starting arm, their hypotheses
    discharged: arms of which the lower number wins, the paper's tests, and the standard conventions; for
    the known gap arms of which all but the winner tie.  (Examples with other conventions: [Examples].) *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT TreeAscent
  ScreenAndReplace.
From TGITE Require Import BudgetedDuelTest Limits BAI Weak Strong KnownGap Trees Examples.
From TGITE Require Tree.
Open Scope R_scope.

#[local] Existing Instance standard.

(** The lower number wins, by [g]. *)
Definition ordered (g : R) (u v : arm) : R :=
  if Nat.eqb u v then 1/2 else if Nat.ltb u v then 1/2 + g else 1/2 - g.

(** Arm 0 beats the others by [g], and these tie: there is no global gap. *)
Definition tied (g : R) (u v : arm) : R :=
  if Nat.eqb u v then 1/2 else if Nat.eqb u 0 then 1/2 + g else if Nat.eqb v 0 then 1/2 - g else 1/2.

Section Every.
Variables (N : nat) (b : arm) (g : R).
Hypothesis HN : (2 <= N)%nat.
Hypothesis Hb : (b < N)%nat.
Hypothesis Hg : 0 < g <= 1/2.
Let L := height N.

Lemma ordered_valid : valid (ordered g).
Proof.
  split; intros u v; unfold ordered.
  - destruct (Nat.eqb_spec u v), (Nat.ltb_spec u v); lra.
  - destruct (Nat.eqb_spec u v), (Nat.eqb_spec v u), (Nat.ltb_spec u v), (Nat.ltb_spec v u); try lra; lia.
Qed.

Lemma ordered_gap u v : u <> v -> g <= Rabs (ordered g u v - 1/2).
Proof.
  intro Huv. unfold ordered. destruct (Nat.eqb_spec u v); [contradiction|].
  destruct (Nat.ltb u v); [rewrite Rabs_right; lra|rewrite Rabs_left; lra].
Qed.

Lemma ordered_assumption : assump_condorcet_gap (ordered g) N 0%nat g.
Proof.
  constructor; auto using ordered_valid, ordered_gap; [lia|].
  intros j _ Hj. unfold ordered. destruct j; [contradiction|]. cbn. lra.
Qed.

Lemma tied_condorcet : condorcet (tied g) N 0%nat g.
Proof.
  constructor; try lia.
  - intros u v. unfold tied. destruct (Nat.eqb u v), (Nat.eqb u 0), (Nat.eqb v 0); lra.
  - intros u v. unfold tied. rewrite (Nat.eqb_sym v u).
    destruct (Nat.eqb_spec u v), (Nat.eqb_spec u 0), (Nat.eqb_spec v 0); try lra. lia.
  - intros j _ Hj. unfold tied. destruct j; [contradiction|]. cbn. lra.
Qed.

Lemma tree : balanced_tree N L.
Proof. exact (conventions_balanced N HN). Qed.

Definition every_sibling_partition := Tree.lem_app_sibling_partition standard N L b tree Hb.
Definition every_correctness :=
  thm_app_plr_correctness standard (ordered g) paper_rule N L 0%nat g b tenth ordered_assumption tree Hb tenth_level ps
    pp.
Definition every_cost :=
  thm_app_plr_cost standard (ordered g) paper_rule N L 0%nat g b tenth ordered_assumption tree Hb tenth_level pp.
Definition every_one_step_repair :=
  lem_app_one_step_repair standard (ordered g) paper_rule N 0%nat g b small small ordered_assumption ps Hb small_level
    small_level.
Definition every_screen_epoch_regret :=
  lem_app_screen_epoch_regret standard (ordered g) paper_rule N 0%nat g b small small ordered_assumption ps pp Hb
    small_level small_level.
Definition every_budgeted_tree_ascent :=
  lem_app_budgeted_tree_ascent standard (tied g) paper_budgeted N L 0%nat g b tenth tied_condorcet
    paper_budgeted_admissible
    Hg tree Hb tenth_level.
Definition every_budgeted_screen_epoch :=
  lem_app_budgeted_screen_epoch standard (tied g) paper_budgeted N 0%nat g b small small tied_condorcet
    paper_budgeted_admissible
    Hg Hb small_level small_level.

Definition every_bai :=
  cor_tlcr_bai standard (ordered g) paper_rule N L 0%nat g b tenth ordered_assumption ps pp tree Hb tenth_level.
Definition every_online_weak := thm_app_online_weak standard (ordered g) paper_rule N 0%nat g b ordered_assumption ps pp
  Hb.
Definition every_weak_warm_start :=
  cor_app_weak_warm_start standard (ordered g) paper_rule N L 0%nat g b ordered_assumption ps pp tree Hb.
Definition every_weak_high_confidence_warm_start :=
  cor_app_weak_high_confidence_warm_start standard (ordered g) paper_rule N L 0%nat g b tenth ordered_assumption ps pp
    tree Hb tenth_level.
Definition every_strong_known H :=
  thm_app_strong_known standard (ordered g) paper_rule N L 0%nat g b H ordered_assumption ps pp tree Hb.
Definition every_strong_anytime T :=
  thm_app_strong_anytime standard (ordered g) paper_rule N L 0%nat g b T ordered_assumption ps pp tree Hb.
Definition every_known_gap :=
  thm_known_gap_extension_main standard (tied g) paper_budgeted N L 0%nat g b tied_condorcet paper_budgeted_admissible
    Hg HN tree Hb.

Example every_leading_term : exists T_0, forall T F k, (T_0 <= T)%nat ->
  regret_until (ordered g) (strong_regretful 0%nat) T (TG_ITE_Strong_Anytime (DT paper_rule F) N L k b)
  <= (C_leading * INR (N - 1) / (g * g) + 1/100) * ln (INR T).
Proof.
  destruct (strong_anytime_leading_term N g (1/100) Hg ltac:(lra)) as [T_0 Later]. exists T_0. intros T F k HT.
  exact (Later standard (ordered g) paper_rule L 0%nat b T F k ordered_assumption ps pp tree Hb HT).
Qed.

End Every.

(** The lower bounds are about what runs: they are below the upper bounds of find-then-certify, on every instance. *)
From TGITE Require Import LowerBound Rounds RoundsStages RoundsCost.

Example lower_bounds_are_below P N w Delta delta :
  has_winner P N w -> condorcet P N w Delta -> 0 < Delta <= 1/2 -> (2 <= N)%nat -> 0 < delta <= 1/2 ->
  least P N w 0 delta <= duels_at_most C_winner_level 2 C_winner_arm N Delta delta /\
  sm (fun j => if Nat.eqb j w then 0 else KL delta (1 - delta) / KL (P w j) (1/2)) N
  <= duels_at_most C_level 4 C_arm N Delta delta.
Proof.
  intros W HC HD HN Hd. pose proof W as (HP & H & Hw & Win). split.
  - destruct (find_then_certify_winner_knockout standard P N w delta) as [_ Id]; auto; [lra|].
    refine (proj2 (lower_bound P N w 0 _ delta _ W ltac:(lra) Hd (identifies_finds _ _ _ _ _ _ HP (Id Delta HC HD)) _)
      _).
    + intros i q F Hi _ Hq. destruct (raised_is_instance P N i q HP H ltac:(lra) Hi) as [(V & _ & _ & Best) _].
      apply (find_then_certify_winner_knockout standard (raised P N i q) N i delta); auto; lra.
    + intros u v _ _ _ _ _. apply Rabs_pos.
  - destruct (find_then_certify_knockout standard P N delta) as [_ Id]; auto; [lra|].
    refine (lower_bound_assuming_nothing P N w _ delta _ W Hd (identifies_finds _ _ _ _ _ _ HP (Id w Delta HC HD)) _).
    intros j F Hj Hjw. destruct (tied_is_instance P N w j W Hj Hjw) as (V & R01 & Tie & _).
    destruct (find_then_certify_knockout standard (tied_with P N w j) N delta) as [Err _]; auto; [lra|].
    eapply Rle_trans; [|apply (Err F)]. apply E_mono; [now apply valid_01|]. intros [x|]; cbn; [|lra].
    destruct (Nat.eqb_spec x w) as [->|]; [|destruct (negb _); lra].
    replace (beats_all (tied_with P N w j) N w) with false; [cbn; lra|]. symmetry. apply not_true_is_false.
    unfold beats_all. rewrite forallb_forall. intro All. specialize (All j ltac:(apply in_seq; lia)).
    rewrite Tie in All. destruct (Nat.eqb_spec j w); [congruence|]. destruct (Rlt_dec _ _); [lra|discriminate].
Qed.
