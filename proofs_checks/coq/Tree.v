(** * Sibling blocks of a completed balanced tree with formal byes

    The [N] arms stand on distinct ones of the [2^L] leaves ([leaf], see [balanced_tree]); the other
    leaves are byes.  Block [h] of a starting arm holds what its height-[h] ancestor has and the one
    below has not. *)
From Coq Require Import Arith Lia List Bool Permutation.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program.
Import Algorithms.Tree.

Lemma pow_pos h : 2 ^ h <> 0. Proof. apply Nat.pow_nonzero. discriminate. Qed.

Local Notation count f l := (length (filter f l)).
Lemma count_add f g k (l : list nat) : (forall x, f x = orb (g x) (k x)) -> (forall x, g x && k x = false) ->
  count f l = count g l + count k l.
Proof.
  intros H1 H2. induction l as [|x l IH]; [reflexivity|]. cbn [filter]. rewrite H1. specialize (H2 x).
  destruct (g x), (k x); cbn in *; discriminate || lia.
Qed.
Lemma count_interval f lo len n : lo + len <= n -> (forall i, i < n -> f i = true <-> lo <= i < lo + len) ->
  count f (seq 0 n) = len.
Proof.
  intros H Hf. transitivity (length (seq lo len)); [|apply seq_length].
  apply Permutation_length, NoDup_Permutation; [apply NoDup_filter, seq_NoDup|apply seq_NoDup|].
  intro i. rewrite filter_In, !in_seq.
  split; [intros [A B]; apply Hf in B; lia|intro A; split; [lia|apply Hf; lia]].
Qed.

Lemma sumn_eq_pointwise f g k : (forall h, 1 <= h <= k -> f h <= g h) -> sumn f k = sumn g k ->
  forall h, 1 <= h <= k -> f h = g h.
Proof.
  intros H E. assert (G : forall j, j <= k -> sumn f j <= sumn g j).
  { induction j; intro Hj; cbn [sumn]; [lia|]. specialize (H (S j) ltac:(lia)). specialize (IHj ltac:(lia)). lia. }
  induction k as [|k IH]; intros h Hh; [lia|]. cbn [sumn] in E.
  pose proof (G k ltac:(lia)). pose proof (H (S k) ltac:(lia)).
  destruct (Nat.eq_dec h (S k)) as [->|]; [lia|]. apply IH; try lia; intros; [apply H|apply G]; lia.
Qed.

Section Tree.
Context {cv : conventions}.
Variable b : nat.

Lemma anc_mono h i : anc b h i = true -> anc b (S h) i = true.
Proof.
  unfold anc. rewrite !Nat.eqb_eq. intro H.
  rewrite Nat.pow_succ_r', Nat.mul_comm, <- !Nat.div_div by (discriminate || apply pow_pos). now rewrite H.
Qed.
Lemma anc_mono_le h k i : h <= k -> anc b h i = true -> anc b k i = true.
Proof. induction 1; auto using anc_mono. Qed.
Lemma anc_0 i : anc b 0 (leaf i) = true <-> i = b.
Proof. unfold anc. rewrite Nat.eqb_eq, Nat.pow_0_r, !Nat.div_1_r. split; [apply leaf_inj|now intros ->]. Qed.
Lemma anc_split h i : anc b (S h) i = orb (anc b h i) (sib b (S h) i) /\ anc b h i && sib b (S h) i = false.
Proof.
  unfold sib. replace (S h - 1) with h by lia. pose proof (anc_mono h i).
  destruct (anc b h i), (anc b (S h) i); simpl; auto; try (specialize (H eq_refl); discriminate).
Qed.

Lemma sib_at h i : sib b (S h) i = true <-> anc b (S h) i = true /\ anc b h i = false.
Proof. unfold sib. replace (S h - 1) with h by lia. rewrite andb_true_iff, negb_true_iff. reflexivity. Qed.

(** The tree walk, read off the blocks. *)
Variables (N L : nat).

Lemma Q_iff h i : In i (siblings N b (S h)) <-> i < N /\ anc b (S h) (leaf i) = true /\ anc b h (leaf i) = false.
Proof. unfold siblings. rewrite filter_In, in_seq, sib_at. intuition lia. Qed.
Lemma Q_sub h i : In i (siblings N b h) -> i < N.
Proof. intro H. apply filter_In in H. destruct H as [H _]. apply in_seq in H. lia. Qed.
Lemma Q_NoDup h : NoDup (siblings N b h).
Proof. apply NoDup_filter, seq_NoDup. Qed.

Lemma count_sum (f : nat -> nat) l k :
  count (fun i => anc b k (f i)) l
    = count (fun i => anc b 0 (f i)) l + sumn (fun h => count (fun i => sib b h (f i)) l) k.
Proof.
  induction k; cbn [sumn]; [lia|].
  rewrite (count_add _ (fun i => anc b k (f i)) (fun i => sib b (S k) (f i))), IHk; [lia| |]; intro x;
    apply (anc_split k (f x)).
Qed.

Lemma partition_unique i h k : 1 <= h -> 1 <= k -> In i (siblings N b h) -> In i (siblings N b k) -> h = k.
Proof.
  intros Hh Hk H1 H2. destruct h as [|h]; [lia|]. destruct k as [|k]; [lia|].
  apply Q_iff in H1, H2. destruct H1 as (_ & A1 & B1), H2 as (_ & A2 & B2).
  destruct (lt_eq_lt_dec h k) as [[C|C]|C]; auto; exfalso.
  - rewrite (anc_mono_le (S h) k) in B2 by (lia || auto). discriminate.
  - rewrite (anc_mono_le (S k) h) in B1 by (lia || auto). discriminate.
Qed.

Lemma b_notin h : 1 <= h -> ~ In b (siblings N b h).
Proof.
  intros Hh H. destruct h as [|h]; [lia|]. apply Q_iff in H. destruct H as (_ & _ & H).
  unfold anc in H. rewrite Nat.eqb_refl in H. discriminate.
Qed.

Hypothesis HB : balanced_tree N L.
Hypothesis Hb : b < N.

Lemma anc_L i : i < 2 ^ L -> anc b L i = true.
Proof.
  intro H. unfold anc. rewrite Nat.eqb_eq. pose proof (t_leaf _ _ HB b Hb). rewrite !Nat.div_small; lia.
Qed.

Lemma partition_exists i : i < N -> i <> b -> exists h, 1 <= h <= L /\ In i (siblings N b h).
Proof.
  intros Hi Hib.
  assert (G : forall k, anc b k (leaf i) = true -> exists h, 1 <= h <= k /\ sib b h (leaf i) = true).
  { induction k; intro H.
    - apply anc_0 in H. congruence.
    - destruct (anc b k (leaf i)) eqn:Ek.
      + destruct (IHk eq_refl) as (h & Hh & Hs). exists h. split; [lia|auto].
      + exists (S k). split; [lia|]. apply sib_at; auto. }
  destruct (G L) as (h & Hh & Hs); [apply anc_L, (t_leaf _ _ HB i Hi)|].
  exists h. split; auto. apply filter_In. split; [apply in_seq; lia|auto].
Qed.

Lemma sum_m : sumn (fun h => length (siblings N b h)) L = N - 1.
Proof.
  pose proof (count_sum leaf (seq 0 N) L) as H. 
  rewrite (count_interval (fun i => anc b L (leaf i)) 0 N N) in H; [|lia|].
  2:{ intros i Hi. split; [lia|]. intros _. apply anc_L, (t_leaf _ _ HB i Hi). }
  rewrite (count_interval (fun i => anc b 0 (leaf i)) b 1 N) in H; [|lia|intros i _; rewrite anc_0; lia].
  change (N = 1 + sumn (fun h => length (siblings N b h)) L) in H. lia.
Qed.

(** The leaves under the height-[h] ancestor are an interval of length [2^h]. *)
Lemma anc_iff h i : anc b h i = true <-> leaf b / 2 ^ h * 2 ^ h <= i < leaf b / 2 ^ h * 2 ^ h + 2 ^ h.
Proof.
  unfold anc. rewrite Nat.eqb_eq. pose proof (pow_pos h). split.
  - intro E. rewrite <- E. pose proof (Nat.div_mod i (2 ^ h) H). pose proof (Nat.mod_upper_bound i (2 ^ h) H). nia.
  - intros [A B]. symmetry. apply Nat.div_unique with (i - leaf b / 2 ^ h * 2 ^ h); nia.
Qed.

Lemma ancestor_card h : h <= L -> count (anc b h) (seq 0 (2 ^ L)) = 2 ^ h.
Proof.
  intro Hh. apply count_interval with (leaf b / 2 ^ h * 2 ^ h); [|intros; apply anc_iff].
  assert (2 ^ L = 2 ^ (L - h) * 2 ^ h) as E by (rewrite <- Nat.pow_add_r; f_equal; lia).
  assert (leaf b / 2 ^ h < 2 ^ (L - h)).
  { apply Nat.div_lt_upper_bound; [apply pow_pos|]. rewrite Nat.mul_comm, <- E. apply (t_leaf _ _ HB b Hb). }
  rewrite E. pose proof (pow_pos h). nia.
Qed.

Lemma Qbar_card h : 1 <= h <= L -> length (sibling_leaves L b h) = 2 ^ (h - 1).
Proof.
  intro Hh. unfold sibling_leaves. destruct h as [|h]; [lia|].
  replace (S h - 1) with h by lia.
  pose proof (count_add _ _ _ (seq 0 (2 ^ L)) (fun i => proj1 (anc_split h i)) (fun i => proj2 (anc_split h i))) as H.
  rewrite !ancestor_card in H by lia. rewrite Nat.pow_succ_r' in H. lia.
Qed.

Lemma sum_mbar : sumn (fun h => length (sibling_leaves L b h)) L = 2 ^ L - 1.
Proof.
  assert (forall k, k <= L -> sumn (fun h => length (sibling_leaves L b h)) k = 2 ^ k - 1) as G.
  { induction k; intro Hk; cbn [sumn]; [reflexivity|].
    rewrite IHk, Qbar_card by lia. replace (S k - 1) with k by lia. rewrite Nat.pow_succ_r'.
    pose proof (pow_pos k). lia. }
  apply G; lia.
Qed.

Lemma Q_le_Qbar h : length (siblings N b h) <= length (sibling_leaves L b h).
Proof.
  rewrite <- (map_length leaf). apply NoDup_incl_length.
  - apply FinFun.Injective_map_NoDup; [exact leaf_inj|apply Q_NoDup].
  - intros x Hx. apply in_map_iff in Hx. destruct Hx as (i & <- & Hi). apply filter_In in Hi. destruct Hi as [Hi Hs].
    apply in_seq in Hi. apply filter_In. split; [|exact Hs]. apply in_seq. pose proof (t_leaf _ _ HB i ltac:(lia)). lia.
Qed.
End Tree.

Theorem lem_app_sibling_partition : lem_app_sibling_partition_statement.
Proof.
  intros cv N L b HB Hb. repeat apply conj.
  - intros i Hi Hib. destruct (partition_exists b N L HB Hb i Hi Hib) as (h & Hh & Hin).
    exists h. split; [auto|]. intros k Hk Hk'. apply (partition_unique b N i); auto; lia.
  - intros h i Hh Hi. split; [eapply Q_sub; eauto|]. intros ->. eapply b_notin; [|exact Hi]. lia.
  - intro h. apply Q_NoDup.
  - apply sum_m; auto.
  - intros h Hh. apply (Qbar_card b N L); auto.
  - apply (sum_mbar b N L); auto.
  - intros E h Hh. rewrite <- (Qbar_card b N L HB Hb h Hh).
    revert h Hh. apply sumn_eq_pointwise.
    + intros h _. apply Q_le_Qbar; auto.
    + rewrite (sum_m b N L HB Hb), (sum_mbar b N L HB Hb). lia.
Qed.
