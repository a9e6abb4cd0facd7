(** * No theorem is vacuous

    The hypotheses of each theorem of the primitives are met by an instance: four arms, of which
    number 2 wins (by 8/25) and the others form a cycle (by 19/50); the paper's test and two choices of
    conventions.  Each example is the theorem at that instance, its hypotheses discharged. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List Permutation.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest Basel BKT TreeAscent
  MainText ScreenAndReplace BudgetedDuelTest Trees SprtTest.
Open Scope R_scope.

(** [beats u v]: the gap by which [u] beats [v], where it does. *)
Definition beats (u v : arm) : option R :=
  match u, v with
  | 2, 0 | 2, 1 | 2, 3 => Some (8/25)%R
  | 0, 1 | 1, 3 | 3, 0 => Some (19/50)%R
  | _, _ => None
  end%nat.
Definition cyclic4 (u v : arm) : R :=
  match beats u v, beats v u with
  | Some x, None => 1/2 + x
  | None, Some x => 1/2 - x
  | _, _ => 1/2
  end.

(** Conventions other than the standard ones: everything in reverse. *)
Definition mirror (i : nat) : nat := match i with 0 => 3 | 1 => 2 | 2 => 1 | 3 => 0 | _ => i end.
#[local, refine] Instance reversed : conventions := {|
  pairing := fun _ _ X => rev X; candidates := fun c B => rev (c :: B); screening := fun X => rev X; leaf := mirror |}.
Proof.
  1-3: intros; apply Permutation_sym, Permutation_rev.
  intros i j. unfold mirror. destruct i as [|[|[|[|]]]], j as [|[|[|[|]]]]; lia.
Defined.

Ltac arms u := destruct u as [|[|[|[|u]]]]; try lia.

Lemma cyclic4_valid : valid cyclic4.
Proof.
  split; intros u v; unfold cyclic4, beats; destruct u as [|[|[|[|u]]]], v as [|[|[|[|v]]]]; lra.
Qed.

Lemma cyclic4_assumption : assump_condorcet_gap cyclic4 4 2%nat (8/25).
Proof.
  constructor; try lia; try lra; [apply cyclic4_valid| |].
  - intros j Hj Hw. unfold cyclic4, beats. arms j; lra.
  - intros u v Hu Hv Huv. unfold cyclic4, beats. arms u; arms v; unfold Rabs; destruct (Rcase_abs _); lra.
Qed.

Lemma tree4 : @balanced_tree standard 4 2.
Proof. constructor; simpl; auto; lia. Qed.
Lemma three_arms : NoDup [0; 1; 2]%nat.
Proof. repeat constructor; simpl; lia. Qed.
Ltac three := cbn; intros; repeat match goal with
  | H : _ \/ _ |- _ => destruct H as [<-|H]
  | H : False |- _ => destruct H
  end; try congruence.

Definition ps : sound paper_rule := proj1 paper_rule_admissible.
Definition pp : prompt paper_rule := proj2 paper_rule_admissible.

(** ** The theorems at the instance *)

Definition tenth : R := 1/10.
Definition small : R := 1/64.
Definition gap : R := 8/25.
Lemma tenth_level : 0 < tenth < 1. Proof. unfold tenth. lra. Qed.
Lemma small_level : 0 < small < 1. Proof. unfold small. lra. Qed.
Lemma gap_range : 0 < gap <= 1/2. Proof. unfold gap. lra. Qed.
Lemma cyclic4_pair u v : (u < 4)%nat -> (v < 4)%nat -> u <> v -> gap <= Rabs (cyclic4 u v - 1/2).
Proof. apply (a_global _ _ _ _ cyclic4_assumption). Qed.
Lemma not_tied : cyclic4 2%nat 0%nat <> 1/2. Proof. unfold cyclic4, beats. lra. Qed.

Local Open Scope nat_scope.

Definition example_anytime_cs := lem_app_anytime_cs (4/5)%R tenth ltac:(lra) tenth_level.
Definition example_dueltest_correct :=
  lem_app_dueltest_correct cyclic4 paper_rule tenth 2 0 cyclic4_valid ps pp tenth_level ltac:(discriminate) not_tied.
Definition example_dueltest_time :=
  lem_app_dueltest_time cyclic4 paper_rule tenth gap 0 1 cyclic4_valid pp tenth_level gap_range
    (cyclic4_pair 0 1 ltac:(lia) ltac:(lia) ltac:(discriminate)).
Definition example_bkt_correct :=
  lem_app_bkt_subset_correct reversed cyclic4 paper_rule [0; 1; 2] 2 tenth cyclic4_valid ps tenth_level three_arms
    ltac:(simpl; auto) ltac:(three; unfold cyclic4, beats; lra).
Definition example_bkt_cost :=
  lem_app_bkt_subset_cost reversed cyclic4 paper_rule [0; 1; 2] tenth gap cyclic4_valid pp tenth_level three_arms
    ltac:(simpl; lia) gap_range (fun u v Hu Hv => cyclic4_pair u v ltac:(cbn in Hu; lia) ltac:(cbn in Hv; lia)).

(** A run in which the winner wins all its matches, and otherwise the first argument does. *)
Definition lucky (d : R) (u v : arm) : prog (option arm) := Ret (Some (if Nat.eqb v 2 then v else u)).
Example example_capture_preserve : returns 2 (TreeAscent (cv := standard) lucky 4 2 0 tenth).
Proof.
  apply (lem_app_plr_capture_preserve standard lucky 4 2 0 2 tenth); try exact tree4; try lia.
  - intros d u v. unfold lucky. cbn. destruct (Nat.eqb v 2); auto.
  - intros h Hh Hin. assert (h = 1 \/ h = 2) as [->| ->] by lia.
    + vm_compute in Hin. destruct Hin as [H|[]]. discriminate.
    + unfold returns. cbn. reflexivity.
  - intros h c Hh _ _ Hc. unfold returns, lucky. destruct (Nat.eqb_spec c 2); [congruence|]. cbn. auto.
Qed.

Definition example_main_text := thm_plr_repair_main standard 4 2 1 tree4 eq_refl ltac:(lia).
Definition example_budgeted_dueltest :=
  lem_budgeted_dueltest_main cyclic4 gap tenth 0 2 cyclic4_valid gap_range tenth_level ltac:(discriminate).
Definition example_budgeted_bkt :=
  lem_app_budgeted_bkt standard cyclic4 paper_budgeted gap [0; 1; 2] tenth cyclic4_valid paper_budgeted_admissible
    gap_range tenth_level three_arms ltac:(simpl; lia).
(** The tie: the pass with DuelTest is the printed tree with every match played by DuelTest. *)
Definition example_play F :=
  play_TreeAscent standard (DT paper_rule F) 4 2 1 (level 1 20) (DT_leaves paper_rule F) tree4 ltac:(lia).
