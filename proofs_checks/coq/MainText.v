(** * TreeAscent as the main text has it: N a power of two

    A block's number of arms is then its capacity, and N - 1 is M - 1, so that it is the appendix's program. *)
From Coq Require Import FunctionalExtensionality.
From Coq Require Import Reals Lra Psatz Lia Bool Arith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program DuelTest BKT TreeAscent.
From TGITE Require Tree.
Open Scope R_scope.

Lemma eq_sequential tag : sequential (fun A => @eq (program tag (option A))).
Proof. split; auto. intros A B m m' k k' -> H. f_equal. now apply functional_extensionality. Qed.

Lemma TreeAscent_main_eq {cv : conventions} N L b : balanced_tree N L -> N = (2 ^ L)%nat -> (b < N)%nat ->
  forall T Lv (bl : bkt_levels Lv) (tl : tree_levels Lv) (test : Lv -> arm -> arm -> program T (option arm)) eps,
  TreeAscent_main test N L b eps = TreeAscent test N L b eps.
Proof.
  intros HB HN Hb T Lv bl tl test eps.
  apply (ascend_alike _ (eq_sequential T) eq) with (H := L); [now intros ? ? ? ? ->| |lia]. intros h Hh _.
  destruct (Tree.lem_app_sibling_partition cv N L b HB Hb) as (_ & _ & _ & _ & S1 & _ & S2).
  assert (main_beta N b eps (S h) = beta L b eps (S h)) as ->; [|now split].
  unfold main_beta, beta. rewrite S1, S2 by (auto; lia). now rewrite HN.
Qed.

Theorem thm_plr_repair_main : thm_plr_repair_main_statement.
Proof.
  intros cv N L b HB HN Hb. split; [apply TreeAscent_main_eq; auto|]. intros P stop w g eps HA He Hs Hp.
  replace (fun F => TreeAscent_main (DT stop F) N L b eps) with (fun F => TreeAscent (DT stop F) N L b eps)
    by (apply functional_extensionality; intro; symmetry; apply TreeAscent_main_eq; auto).
  replace (fun F => ET P (TreeAscent_main (DT stop F) N L b eps))
    with (fun F => ET P (TreeAscent (DT stop F) N L b eps))
    by (apply functional_extensionality; intro; now rewrite TreeAscent_main_eq).
  split; [now apply (thm_app_plr_correctness cv P stop N L w g)|].
  destruct (thm_app_plr_cost cv P stop N L w g b eps HA HB Hb He Hp) as ((K & t & C & D) & _ & E).
  split; [intro F; eapply Rle_trans; [apply K|exact E]|exists t; split; [exact C|lra]].
Qed.
