(** * The search that never ends, and its regret (not in the paper)

    Nothing is assumed but a winner, and no gap is told.  An arm that is not the winner passes a round only with
    probability 2^-(2^(r+2)) or less, as evidence is kept for ever; so its duels and the rounds in which it plays itself are
    few.  The winner's stage goes on for ever with a probability of at least 191/200, once the gap is reached.  So the weak
    regret is finite, and the strong regret is logarithmic. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT BudgetedDuelTest.
From TGITE Require Import Limits ScreenAndReplace Trees MixtureTest LowerBound SprtTest Likelihood Certificate Rounds Knockout.
From TGITE Require RoundsCost.
From TGITE Require Import RoundsStages.
Open Scope R_scope.

(** Policies that go on for ever, of which [run n] has at least the first [n] rounds: as [endless_regret_at_most] has it,
    but for epochs, of which there need not be more than finitely many. *)
Definition unending_regret_at_most (P : arm -> arm -> R) (regretful : arm -> arm -> bool)
    (run : nat -> prog (option arm)) (bound : R) : Prop :=
  (forall n, expected_regret P regretful (run n) <= bound) /\
  (forall T n n', (T <= n)%nat -> (T <= n')%nat -> agree T (run n) (run n')) /\
  (forall T n, (T <= n)%nat -> plays T (run n)) /\
  (exists R_oo : R, is_lim_seq (fun T => regret_until P regretful T (run T)) R_oo /\ R_oo <= bound /\
     forall T, regret_until P regretful T (run T) <= R_oo) /\
  (forall T n, INR n * regret_at_least P regretful (first_rounds T (run T)) n <= bound).

Definition C_endless_weak_loglog : R := 34/3.
Definition C_endless_weak_arm : R := 206.
Definition C_endless_weak : R := 126.
Definition endless_weak_statement : Prop := forall P N w Delta find,
  condorcet P N w Delta -> 0 < Delta <= 1/2 -> (2 <= N)%nat -> finds (own_matches N) P N w Delta find ->
  (forall s, leaves (fun o => ran_out o = false) (find s)) ->
  let bound := INR (N - 1) / (Delta * Delta) * (C_endless_weak_loglog * ln (ln (/ Delta) + 1) + C_endless_weak_arm) in
  unending_regret_at_most P (weak_regretful w) (endless find N) bound /\
  bound <= C_endless_weak * INR (N - 1) / (Delta * Delta) * (ln (/ Delta) + 1).

Definition C_endless_strong : R := 12.
Definition C_endless_strong_loglog : R := 18.
Definition C_endless_strong_arm : R := 251.
Definition endless_strong_statement : Prop := forall P N w Delta find T,
  condorcet P N w Delta -> 0 < Delta <= 1/2 -> (2 <= N)%nat -> finds (own_matches N) P N w Delta find ->
  (forall s, leaves (fun o => ran_out o = false) (find s)) -> (2 <= T)%nat ->
  horizon_regret_at_most P (strong_regretful w) T (endless find N)
    (INR (N - 1) / (Delta * Delta) * (C_endless_strong * (ln (INR T + 1) + 2 * ln (ln (INR T + 2) + 1)) +
       C_endless_strong_loglog * ln (ln (/ Delta) + 1) + C_endless_strong_arm)).

(** With the knockout. *)
Definition endless_knockout_statement : Prop := forall (cv : conventions) P N w Delta,
  condorcet P N w Delta -> 0 < Delta <= 1/2 -> (2 <= N)%nat -> let run := endless (knockout its_own N) N in
  unending_regret_at_most P (weak_regretful w) run
    (INR (N - 1) / (Delta * Delta) * (C_endless_weak_loglog * ln (ln (/ Delta) + 1) + C_endless_weak_arm)) /\
  forall T, (2 <= T)%nat -> horizon_regret_at_most P (strong_regretful w) T run
    (INR (N - 1) / (Delta * Delta) * (C_endless_strong * (ln (INR T + 1) + 2 * ln (ln (INR T + 2) + 1)) +
       C_endless_strong_loglog * ln (ln (/ Delta) + 1) + C_endless_strong_arm)).

(** * Proofs *)

(** ** The regret of the first [T] rounds, along sequencing *)

Section Until.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Variable regretful : arm -> arm -> bool.
Let K {A} (T : nat) (m : prog A) : R := regret_until P regretful T m.

Lemma until_Ret {A} T (a : A) : K T (Ret a) = 0.
Proof. unfold K, regret_until. destruct T; reflexivity. Qed.
Lemma until_0 {A} (m : prog A) : K 0 m = 0.
Proof. unfold K, regret_until. destruct m; reflexivity. Qed.
Lemma until_Duel {A} T u v (k : bool -> prog A) :
  K (S T) (Duel u v k) = ind (regretful u v) + (P u v * K T (k true) + (1 - P u v) * K T (k false)).
Proof. unfold K, regret_until, ind. reflexivity. Qed.
Lemma until_nonneg {A} T (m : prog A) : 0 <= K T m.
Proof. now apply ER_nonneg. Qed.

Lemma until_bind {A B} T : forall (m : prog A) (k : A -> prog B),
  K T (bind m k) <= K T m + expect P m (fun a => K T (k a)).
Proof.
  induction T as [|T IH]; intros m k.
  - rewrite !until_0. rewrite (E_ext P m _ (fun _ => 0)) by (intro; apply until_0). rewrite E_const. lra.
  - destruct m as [a|[] u v f]; cbn [bind expect]; [rewrite until_Ret; lra|]. rewrite !until_Duel.
    pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) (IH (f true) k) (IH (f false) k)) as M.
    assert (Up : forall b, expect P (f b) (fun a => K T (k a)) <= expect P (f b) (fun a => K (S T) (k a))).
    { intro b. apply E_mono; [exact P01|]. intro a. apply regret_until_mono; [exact P01|lia]. }
    pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) (Up true) (Up false)). lra.
Qed.

Lemma until_self_play {A} n c (m : prog A) : forall T,
  K T (self_play n c m) <= ind (regretful c c) * INR n + (if Nat.ltb n T then K T m else 0).
Proof.
  induction n as [|n IH]; intro T.
  - cbn [self_play]. simpl (INR 0). destruct T; [rewrite until_0; cbn; lra|]. cbn [Nat.ltb Nat.leb]. lra.
  - destruct T as [|T]; [rewrite until_0; cbn [Nat.ltb Nat.leb]; unfold ind; pose proof (pos_INR (S n));
      destruct (regretful c c); lra|].
    cbn [self_play]. rewrite until_Duel, S_INR. specialize (IH T).
    change (Nat.ltb (S n) (S T)) with (Nat.ltb n T).
    pose proof (regret_until_mono P P01 regretful T (S T) m ltac:(lia)) as M. fold (K T m) (K (S T) m) in M.
    destruct (Nat.ltb n T); lra.
Qed.

Lemma until_all {A} (m : prog A) : forall T, (maxT m <= T)%nat -> K T m = expected_regret P regretful m.
Proof.
  induction m as [a|[] u v k IH]; intros T H; [apply until_Ret|]. cbn [maxT] in H. destruct T as [|T]; [lia|].
  rewrite until_Duel, !IH by lia. reflexivity.
Qed.
Lemma until_le_ET {A} T (m : prog A) : K T m <= ET P m.
Proof. eapply Rle_trans; [apply regret_until_le; exact P01|now apply ER_le_ET]. Qed.
End Until.

Lemma self_play_agree {A} n c T : (1 <= n)%nat -> forall m m' : prog A,
  agree T m m' -> agree (S T) (self_play n c m) (self_play n c m').
Proof.
  intros Hn m m' H. assert (forall n, agree T (self_play n c m) (self_play n c m')) as K.
  { clear n Hn. revert m m' H. induction T as [|T IH]; intros m m' H n; [exact Logic.I|].
    destruct n as [|n]; [exact H|]. cbn [self_play agree]. repeat split. intro. apply IH, (agree_le (S T)); auto. }
  destruct n as [|n]; [lia|]. cbn [self_play agree]. repeat split. intro. apply K.
Qed.
Lemma self_play_uncut {A} n c T : (1 <= n)%nat -> forall m : prog (option A),
  uncut T m = true -> uncut (S T) (self_play n c m) = true.
Proof.
  intros Hn m H. assert (forall n, uncut T (self_play n c m) = true) as K.
  { clear n Hn. revert m H. induction T as [|T IH]; intros m H n; [destruct (self_play n c m); reflexivity|].
    destruct n as [|n]; [exact H|]. cbn [self_play uncut]. rewrite !IH; auto; apply (uncut_le (S T)); auto. }
  destruct n as [|n]; [lia|]. cbn [self_play uncut]. rewrite K. reflexivity.
Qed.

(** ** Sums over the arms of a list *)

Definition total (f : arm -> R) (l : list arm) : R := fold_right (fun j a => f j + a) 0 l.
Lemma total_le f l c : (forall j, In j l -> f j <= c) -> total f l <= INR (length l) * c.
Proof.
  induction l as [|j l IH]; intro H; cbn [total fold_right length]; [simpl; lra|]. rewrite S_INR.
  specialize (IH (fun i Hi => H i (or_intror Hi))). pose proof (H j (or_introl eq_refl)). unfold total in IH. lra.
Qed.
Lemma total_nonneg f l : (forall j, 0 <= f j) -> 0 <= total f l.
Proof.
  intro H. induction l as [|j l IH]; cbn [total fold_right]; [lra|]. specialize (H j). unfold total in IH. lra.
Qed.
Lemma total_ge f l j : (forall j, 0 <= f j) -> In j l -> f j <= total f l.
Proof.
  intro H. induction l as [|i l IH]; intros []; cbn [total fold_right].
  - subst i. pose proof (total_nonneg f l H). unfold total in *. lra.
  - specialize (IH H0). specialize (H i). unfold total in *. lra.
Qed.
Lemma total_change f f' l j : NoDup l -> In j l -> (forall i, i <> j -> f' i = f i) ->
  total f' l = total f l + (f' j - f j).
Proof.
  intros ND HI H. induction ND as [|i l Hi ND IH]; [destruct HI|]. cbn [total fold_right].
  fold (total f' l) (total f l). destruct HI as [->|HI].
  - replace (total f' l) with (total f l); [ring|]. clear - Hi H. induction l as [|i l IH]; [reflexivity|].
    cbn [total fold_right]. fold (total f' l) (total f l). rewrite H by (intros ->; apply Hi; cbn; auto).
    rewrite IH; [ring|]. intro; apply Hi; cbn; auto.
  - rewrite IH by exact HI. rewrite (H i); [ring|]. intros ->. contradiction.
Qed.

(** ** Rounds at level 0 *)

Section Stage.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Variables (N s m : nat) (omega : R) (c : arm) (order : list arm).
Hypothesis ND : NoDup order.
Let g := gap s.
Let sh := share omega m.
Hypothesis Hsh : 0 < sh <= 1.
Hypothesis Homega : 0 <= omega.

(** Evidence of 2^(2^(r+2)) is asked in round [r], within the budget [bud r]. *)
Definition asked (r : nat) : R := 2 ^ (2 ^ (r + 2)).
Lemma asked_pos r : 1 < asked r.
Proof. unfold asked. apply Rlt_pow_R1; [lra|]. pose proof (Nat.pow_nonzero 2 (r + 2)). lia. Qed.
Lemma asked_mono r : asked r <= asked (S r).
Proof. unfold asked. apply Rle_pow; [lra|]. apply Nat.pow_le_mono_r; lia. Qed.
Lemma level_0 r : level_in_round 0 r = / asked r.
Proof. unfold level_in_round. pose proof (asked_pos r). apply Rmax_right. left. unfold asked in *. positive. Qed.
Lemma never_last r : is_last 0 r = false.
Proof.
  unfold is_last. pose proof (asked_pos r). destruct (Rle_dec _ _) as [H0|]; [|reflexivity]. exfalso.
  assert (0 < / asked r) by positive. unfold asked in *. lra.
Qed.
Definition bud (r : nat) : nat := stage_budget N s (sh * / asked r).
Lemma level_r r : 0 < sh * / asked r < 1.
Proof.
  pose proof (asked_pos r). split; [positive|]. apply Rlt_div_l; lra.
Qed.
Lemma bud_mono r : (bud r <= bud (S r))%nat.
Proof.
  unfold bud, stage_budget. apply Nat.add_le_mono_r, Nat.mul_le_mono_l. cbn [bbudget truncated_sprt].
  pose proof (asked_pos r). pose proof (asked_pos (S r)). pose proof (asked_mono r). pose proof (gap_range s).
  pose proof (level_r r). pose proof (level_r (S r)).
  assert (Pos : forall d, 0 < d < 1 -> 0 < 1 / (2 * (gap s * gap s)) * ln (2 / d)).
  { intros d Hd. apply Rmult_lt_0_compat; [positive|]. apply ln_pos, Rlt_div_r; lra. }
  apply Nat.lt_succ_r, INR_lt. rewrite S_INR. eapply Rlt_le_trans; [apply ceil_spec; auto|].
  apply Rplus_le_compat_r. eapply Rle_trans; [|apply ceil_spec; auto]. apply Rmult_le_compat_l; [positive|]. apply ln_le; [positive|].
  unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [positive|].
  apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
Qed.

Definition lk (x : state) (j : arm) : R := likelihood g (fst (now x j)) (snd (now x j)).
(** What is known against [j]: a supermartingale, if [c] is no better; [rest] is for later stages. *)
Definition rest : R := (1 - omega) / (4 * INR m + 5).
Definition known (j : arm) (x : state) : R := omega * mixture (fst (all x j)) (snd (all x j)) + sh * lk x j + rest.

Record inv (r : nat) (x : state) : Prop := {
  i_all : forall j, (snd (all x j) <= fst (all x j))%nat;
  i_now : forall j, (snd (now x j) <= fst (now x j))%nat;
  i_own : forall j, own x j = now x j;
  i_out : forall j, out x j = false;
  i_spent : (spent x <= bud r)%nat;
  i_lk : forall j, lk x j <= (1 + 2 * g) * (asked r / sh) }.

Lemma inv_S r x : inv r x -> inv (S r) x.
Proof.
  intros [A B C D E F]. split; auto.
  - eapply Nat.le_trans; [exact E|apply bud_mono].
  - intro j. eapply Rle_trans; [apply F|]. pose proof (gap_range s). fold g in H. apply Rmult_le_compat_l; [lra|].
    apply Rmult_le_compat_r; [positive|apply asked_mono].
Qed.

Lemma lk_pos x j : 0 < lk x j.
Proof. apply L_pos, gap_range. Qed.
Lemma spent_dueled x j b : spent (dueled j b x) = S (spent x).
Proof. reflexivity. Qed.
Lemma lk_dueled x j b : (snd (now x j) <= fst (now x j))%nat ->
  lk (dueled j b x) j = (if b then 1 + 2 * g else 1 - 2 * g) * lk x j.
Proof.
  intro H. unfold lk, dueled, change, one_more. cbn. rewrite Nat.eqb_refl. destruct (now x j) as [n k]. cbn in *.
  destruct b; cbn; [apply L_win|now apply L_loss].
Qed.
Lemma dueled_other x i j b : i <> j -> all (dueled j b x) i = all x i /\ now (dueled j b x) i = now x i.
Proof. intro H. unfold dueled, change. cbn. destruct (Nat.eqb_spec i j); [contradiction|auto]. Qed.
Lemma lk_other x i j b : i <> j -> lk (dueled j b x) i = lk x i.
Proof. intro H. unfold lk. now rewrite (proj2 (dueled_other x i j b H)). Qed.
Lemma known_other x i j b : i <> j -> known i (dueled j b x) = known i x.
Proof. intro H. unfold known. rewrite lk_other by exact H. now rewrite (proj1 (dueled_other x i j b H)). Qed.

Lemma known_enough r j x : inv r x -> enough s m omega (level_in_round 0 r) j x = true -> 0 <= rest ->
  asked r <= known j x.
Proof.
  intros I. rewrite level_0. unfold enough, reaches, known. fold g sh. pose proof (asked_pos r) as A.
  pose proof (W_pos (fst (all x j)) (snd (all x j)) (i_all r x I j)) as W. pose proof (lk_pos x j) as L. unfold lk in *.
  set (M := mixture _ _) in *. set (Q := likelihood g _ _) in *. intros H R0.
  assert (Up : forall y, 1 <= y * / asked r -> asked r <= y).
  { intros y Hy. apply (Rmult_le_compat_r (asked r)) in Hy; [|lra]. rewrite Rmult_assoc, Rinv_l in Hy; lra. }
  assert (0 <= omega * M) by positive. assert (0 <= sh * Q) by positive.
  destruct (Rle_dec 1 (omega * / asked r * M)) as [D|D]; [pose proof (Up (omega * M)); lra|].
  destruct (Rle_dec 1 (sh * / asked r * Q)) as [D'|D']; [pose proof (Up (sh * Q)); lra|discriminate].
Qed.

Lemma inv_dueled r j b x : inv r x -> enough s m omega (level_in_round 0 r) j x = false -> (spent x < bud r)%nat ->
  inv r (dueled j b x).
Proof.
  intros [A B C D E F] H Hs. pose proof (gap_range s) as Hg. fold g in Hg. pose proof (asked_pos r) as As. split.
  - intro i. unfold dueled, change, one_more. cbn. specialize (A i).
    destruct (Nat.eqb_spec i j) as [->|]; [destruct b; cbn; lia|exact A].
  - intro i. unfold dueled, change, one_more. cbn. specialize (B i).
    destruct (Nat.eqb_spec i j) as [->|]; [destruct b; cbn; lia|exact B].
  - intro i. unfold dueled, change. cbn. destruct (Nat.eqb_spec i j) as [->|]; now rewrite C.
  - exact D.
  - exact Hs.
  - intro i. destruct (Nat.eq_dec i j) as [->|Ne]; [|rewrite lk_other; auto]. rewrite lk_dueled by apply B.
    unfold enough in H. apply orb_false_iff in H. destruct H as [_ H]. rewrite level_0 in H. fold g sh in H.
    apply not_reached in H; [|positive]. rewrite Rinv_mult, Rinv_inv, Rmult_comm in H.
    fold (lk x j) in H. fold (asked r / sh) in H. pose proof (lk_pos x j).
    apply Rmult_le_compat; destruct b; lra.
Qed.

(** A drift of at least [kappa] downwards. *)
Definition drift (kappa : R) (r : nat) (psi : state -> R) : Prop := forall j x, In j order -> inv r x ->
  enough s m omega (level_in_round 0 r) j x = false -> (spent x < bud r)%nat ->
  kappa + (P c j * psi (dueled j true x) + (1 - P c j) * psi (dueled j false x)) <= psi x.

Section Cost.
Variables (rg : arm -> arm -> bool) (T : nat) (kappa : R).
Hypothesis Hk : forall j, In j order -> ind (rg c j) <= kappa.
Let K {A} (m : prog A) : R := regret_until P rg T m.

Lemma own_cost r psi j : drift kappa r psi -> In j order -> forall x, inv r x ->
  K (own_match N s m omega c (level_in_round 0 r) j x) +
  expect P (own_match N s m omega c (level_in_round 0 r) j x) (fun o => psi (snd o)) <= psi x.
Proof.
  intros D Hj. unfold own_match. fold sh. rewrite level_0. fold (bud r). rewrite <- level_0. intros x I.
  pose proof (i_spent r x I) as Hs. remember (bud r - spent x)%nat as k eqn:Ek. unfold K. clear K.
  revert T x I Hs Ek. induction k as [|k IH]; intros T x I Hs Ek; cbn [go_on].
  - destruct (enough _ _ _ _ _ _); [|destruct (beaten _ _ _ _)]; rewrite until_Ret; cbn; lra.
  - destruct (enough _ _ _ _ _ _) eqn:En; [rewrite until_Ret; cbn; lra|].
    destruct (beaten _ _ _ _) eqn:Be; [rewrite until_Ret; cbn; lra|].
    assert (forall b, inv r (dueled j b x)) as I' by (intro b; apply inv_dueled; auto; lia).
    specialize (D j x Hj I En ltac:(lia)). specialize (Hk j Hj). cbn [expect].
    pose proof (fun T b => IH T (dueled j b x) (I' b) (i_spent _ _ (I' b))
      ltac:(rewrite spent_dueled; lia)) as IHb.
    destruct T as [|T'].
    + pose proof (conv_mono (P c j) _ _ _ _ (P01 c j) (IHb 0%nat true) (IHb 0%nat false)) as M.
      rewrite !until_0 in M. rewrite until_0. unfold ind in *. destruct (rg c j); lra.
    + pose proof (conv_mono (P c j) _ _ _ _ (P01 c j) (IHb T' true) (IHb T' false)) as M.
      rewrite until_Duel. lra.
Qed.

Lemma own_leaves r j : forall x, inv r x -> 0 <= rest ->
  leaves (fun o => inv r (snd o) /\ (forall i, i <> j -> known i (snd o) = known i x) /\
      match fst o with
      | Some true => asked r <= known j (snd o)
      | Some false => beaten N s j (snd o) = true
      | None => spent (snd o) = bud r
      end) (own_match N s m omega c (level_in_round 0 r) j x).
Proof.
  unfold own_match. fold sh. rewrite level_0. fold (bud r). rewrite <- level_0. intros x I R0.
  pose proof (i_spent r x I) as Hs. remember (bud r - spent x)%nat as k eqn:Ek.
  revert x I Hs Ek. induction k as [|k IH]; intros x I Hs Ek; cbn [go_on].
  - destruct (enough _ _ _ _ _ _) eqn:En; [|destruct (beaten _ _ _ _) eqn:Be]; cbn [leaves fst snd];
      (split; [exact I|]); (split; [auto|]); [now apply known_enough|exact Be|lia].
  - destruct (enough _ _ _ _ _ _) eqn:En; [|destruct (beaten _ _ _ _) eqn:Be]; cbn [leaves fst snd];
      [split; [exact I|]; split; [auto|now apply known_enough]|split; auto|].
    assert (forall b, inv r (dueled j b x)) as I' by (intro b; apply inv_dueled; auto; lia).
    cbn [leaves]. split; (eapply leaves_impl; [apply (IH _ (I' _) (i_spent _ _ (I' _))); rewrite spent_dueled; lia|]); cbv beta; intros [o y] (Q1 & Q2 & Q3);
      cbn [fst snd] in *; repeat split; auto; try apply Q1; intros i Hi; rewrite Q2, known_other; auto.
Qed.

(** One round. *)
Let round r l x := one_round N s m omega 0 c r (against c l) x.
Lemma round_cons r j l x : out x j = false ->
  round r (j :: l) x = bind (own_match N s m omega c (level_in_round 0 r) j x) (fun o => match o with
      | (Some true, y) => round r l y
      | (_, y) => Ret (false, y)
      end).
Proof.
  intro H. unfold round. cbn [against map one_round]. unfold one_arm at 1. rewrite H, Nat.eqb_refl, never_last.
  cbn [bind]. generalize (own_match N s m omega c (level_in_round 0 r) j x). intro p.
  induction p as [[[[|]|] y]|t u v f IH]; cbn [bind]; try reflexivity. f_equal.
  apply FunctionalExtensionality.functional_extensionality. exact IH.
Qed.

Lemma round_cost r psi : drift kappa r psi -> 0 <= rest -> forall l x, incl l order -> inv r x ->
  K (round r l x) + expect P (round r l x) (fun o => psi (snd o)) <= psi x.
Proof.
  intros D R0. induction l as [|j l IH]; intros x Hl I; [cbn; unfold K; rewrite until_Ret; lra|].
  rewrite round_cons by apply I. pose proof (own_cost r psi j D (Hl j ltac:(cbn; auto)) x I) as O.
  eapply Rle_trans; [|exact O]. rewrite E_bind. unfold K.
  eapply Rle_trans; [apply Rplus_le_compat_r, until_bind, P01|]. fold (K (own_match N s m omega c (level_in_round 0 r) j x)).
  rewrite Rplus_assoc. apply Rplus_le_compat_l. rewrite <- E_plus.
  eapply (E_mono_leaves P P01); [apply (own_leaves r j x I R0)|]. intros [o y] (Q1 & _). cbn [fst snd] in *.
  destruct o as [[|]|]; try (rewrite until_Ret; cbn; lra). apply (IH y); auto. intros i Hi. apply Hl. cbn. auto.
Qed.

Definition failed (r : nat) (y : state) : Prop :=
  (exists j, In j order /\ beaten N s j y = true) \/ spent y = bud r.
Lemma round_leaves r : 0 <= rest -> forall l x, NoDup l -> incl l order -> inv r x ->
  leaves (fun o => inv r (snd o) /\ (forall i, ~ In i l -> known i (snd o) = known i x \/ fst o = false) /\
      if fst o then forall i, In i l -> asked r <= known i (snd o) else failed r (snd o)) (round r l x).
Proof.
  intros R0. induction l as [|j l IH]; intros x NDl Hl I; [cbn; repeat split; auto; try apply I; contradiction|].
  rewrite round_cons by apply I. inversion NDl as [|? ? Nj NDl']; subst.
  eapply leaves_bind; [apply (own_leaves r j x I R0)|].
  intros [o y] (Q1 & Q2 & Q3). cbn [fst snd] in *. destruct o as [[|]|].
  - eapply leaves_impl; [apply (IH y); auto; intros i Hi; apply Hl; cbn; auto|]. cbv beta.
    intros [b z] (S1 & S2 & S3). cbn [fst snd] in *. split; [exact S1|]. split.
    + intros i Hi. destruct b; [left|auto]. destruct (S2 i) as [->|]; [|apply Q2|discriminate].
      * intro; apply Hi; cbn; auto.
      * intros ->; apply Hi; cbn; auto.
    + destruct b; [|exact S3]. intros i [<-|Hi]; [|auto]. destruct (S2 j Nj) as [->|]; [exact Q3|discriminate].
  - cbn. split; [exact Q1|]. split; [auto|]. left. exists j. split; [apply Hl; cbn; auto|exact Q3].
  - cbn. split; [exact Q1|]. split; [auto|]. right. exact Q3.
Qed.
End Cost.

(** Rounds from [r] on: their regret within [T] rounds ... *)
Definition begun (T r : nat) : Prop := r = 0%nat \/ (self_plays (pred r) < T)%nat.
Lemma rounds_cost rg T kappa (Phi : nat -> state -> R) : 0 <= rest ->
  (forall j, In j order -> ind (rg c j) <= kappa) ->
  (forall r, begun T r -> drift kappa r (Phi r)) ->
  (forall r y, begun T r -> inv r y -> (forall i, In i order -> asked r <= known i y) ->
     ind (rg c c) * INR (self_plays r) + (if Nat.ltb (self_plays r) T then Phi (S r) y else 0) <= Phi r y) ->
  (forall r y, begun T r -> inv r y -> 0 <= Phi r y) ->
  forall F r x, begun T r -> inv r x ->
  regret_until P rg T (rounds N s m omega 0 self_plays c F r (against c order) x) <= Phi r x.
Proof.
  intros R0 Hk D Pass Pos. induction F as [|F IH]; intros r x Hr I; cbn [rounds]; [rewrite until_Ret; auto|].
  eapply Rle_trans; [apply until_bind, P01|].
  eapply Rle_trans; [|apply (round_cost rg T kappa Hk r (Phi r) (D r Hr) R0 order x); auto using incl_refl].
  apply Rplus_le_compat_l. eapply (E_mono_leaves P P01); [apply (round_leaves r R0 order x); auto using incl_refl|].
  intros [b y] (Q1 & _ & Q3). cbn [fst snd] in *. destruct b; [|rewrite until_Ret; auto]. rewrite never_last.
  eapply Rle_trans; [apply until_self_play, P01|]. eapply Rle_trans; [|apply Pass; auto].
  apply Rplus_le_compat_l. destruct (Nat.ltb_spec (self_plays r) T); [|lra]. apply IH; [right; exact H|now apply inv_S].
Qed.

(** ... and what is expected of the state that is left. *)
Lemma rounds_expect (Phi : nat -> nat -> state -> R) f : 0 <= rest ->
  (forall F r, drift 0 r (Phi F r)) ->
  (forall F r y, inv r y -> Phi F (S r) y <= Phi (S F) r y) ->
  (forall F r y, inv r y -> failed r y -> f y <= Phi (S F) r y) ->
  (forall r y, inv r y -> 0 <= Phi 0%nat r y) ->
  forall F r x, inv r x ->
  expect P (rounds N s m omega 0 self_plays c F r (against c order) x)
    (fun o => match o with Some y => f y | None => 0 end) <= Phi F r x.
Proof.
  intros R0 D Pass Fail Pos. induction F as [|F IH]; intros r x I; cbn [rounds]; [cbn; auto|]. rewrite E_bind.
  pose proof (round_cost (fun _ _ => false) 0 0 (fun _ _ => Rle_refl 0) r (Phi (S F) r) (D (S F) r) R0 order x
    (incl_refl _) I) as C.
  cbv zeta beta in C. rewrite until_0, Rplus_0_l in C. eapply Rle_trans; [|exact C].
  eapply (E_mono_leaves P P01); [apply (round_leaves r R0 order x); auto using incl_refl|].
  intros [b y] (Q1 & _ & Q3). cbn [fst snd] in *. destruct b; [|cbn; auto]. rewrite never_last, E_self_play.
  eapply Rle_trans; [apply IH; now apply inv_S|auto].
Qed.

Lemma rounds_leaves F : 0 <= rest -> forall r x, inv r x ->
  leaves (fun o => match o with Some y => exists r', inv r' y | None => True end)
    (rounds N s m omega 0 self_plays c F r (against c order) x).
Proof.
  intro R0. induction F as [|F IH]; intros r x I; cbn [rounds]; [exact Logic.I|].
  eapply leaves_bind; [apply (round_leaves r R0 order x); auto using incl_refl|].
  intros [b y] (Q1 & _ & Q3). cbn [fst snd] in *. destruct b; [|cbn; eauto]. rewrite never_last.
  specialize (IH (S r) y (inv_S r y Q1)). induction (self_plays r); cbn; auto.
Qed.

Lemma self_plays_pos r : (1 <= self_plays r)%nat.
Proof. unfold self_plays. pose proof (Nat.pow_nonzero 2 (2 ^ (r + 2) - 2 * r)). lia. Qed.
Lemma rounds_agree pairs T : forall F F' r x, (T <= F)%nat -> (T <= F')%nat ->
  agree T (rounds N s m omega 0 self_plays c F r pairs x) (rounds N s m omega 0 self_plays c F' r pairs x).
Proof.
  induction T as [|T IH]; intros [|F] [|F'] r x H H'; try lia; try exact Logic.I. cbn [rounds].
  apply agree_bind; [apply agree_refl|]. intros [b y]. destruct b; [|apply agree_refl]. rewrite never_last.
  apply self_play_agree; [apply self_plays_pos|]. apply IH; lia.
Qed.
Lemma uncut_bind' {A B} T (p : prog A) (k : A -> prog (option B)) :
  (forall a, uncut T (k a) = true) -> uncut T (bind p k) = true.
Proof.
  intro H. enough (forall T', (T' <= T)%nat -> uncut T' (bind p k) = true) by auto.
  induction p as [a|t u v f IH]; intros T' HT; cbn [bind]; [apply (uncut_le T); auto|].
  destruct T' as [|T']; [reflexivity|]. cbn [uncut]. rewrite !IH by lia. reflexivity.
Qed.
Lemma rounds_uncut pairs T : forall F r x, (T <= F)%nat ->
  uncut T (rounds N s m omega 0 self_plays c F r pairs x) = true.
Proof.
  induction T as [|T IH]; intros [|F] r x H; try lia; try (destruct (rounds _ _ _ _ _ _ _ _ _ _ _); reflexivity).
  cbn [rounds]. apply uncut_bind'. intros [b y]. destruct b; [|reflexivity]. rewrite never_last.
  apply self_play_uncut; [apply self_plays_pos|]. apply IH; lia.
Qed.
End Stage.

(** ** Potentials *)

Section Potentials.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Variables (N s m : nat) (omega : R) (c : arm) (order : list arm).
Hypothesis ND : NoDup order.
Let g := gap s.
Let sh := share omega m.
Hypothesis Hsh : 0 < sh <= 1.
Hypothesis Homega : 0 <= omega.
Hypothesis R0 : 0 <= rest m omega.
Let Hg : 0 < g < 1/2 := gap_range s.
Let falls := drift P N s m omega c order.

(** Evidence against an arm that is not worse than [c]. *)
Lemma known_drift w r : P c w <= 1/2 -> falls 0 r (known s m omega w).
Proof.
  intros Hw j x _ I _ _. destruct (Nat.eq_dec j w) as [->|Ne].
  2:{ rewrite !known_other by auto. right. ring. }
  pose proof (ev_unfair _ W_is_evidence (P c w) (fst (all x w)) (snd (all x w))
    (conj (proj1 (P01 c w)) Hw) (i_all _ _ _ _ _ _ I w)) as E1.
  pose proof (ev_unfair _ (likelihood_is_evidence g ltac:(lra)) (P c w) (fst (now x w)) (snd (now x w))
    (conj (proj1 (P01 c w)) Hw) (i_now _ _ _ _ _ _ I w)) as E2.
  apply (Rmult_le_compat_l omega) in E1; [|exact Homega]. apply (Rmult_le_compat_l sh) in E2; [|lra].
  unfold known, lk, dueled, change. cbn [all now]. rewrite !Nat.eqb_refl. unfold one_more, b2n.
  cbn [fst snd Nat.add]. fold g sh. lra.
Qed.

(** The winner's own duels, where its gap is at least [g]. *)
Hypothesis Win : forall j, In j order -> 1/2 + g <= P c j.
Definition logs_of (x : state) : R := total (fun j => ln (lk s x j)) order.

Lemma logs_dueled x j b : In j order -> (snd (now x j) <= fst (now x j))%nat ->
  logs_of (dueled j b x) = logs_of x + ln (if b then 1 + 2 * g else 1 - 2 * g).
Proof.
  intros Hj Hx. unfold logs_of. rewrite (total_change (fun j => ln (lk s x j)) _ order j); auto.
  - rewrite lk_dueled by exact Hx. rewrite ln_mult by (try apply lk_pos; destruct b; fold g; lra). fold g. ring.
  - intros i Hi. now rewrite lk_other.
Qed.

Lemma time_drift r C rate : 0 < rate ->
  (forall j, In j order -> rate <= P c j * ln (1 + 2 * g) + (1 - P c j) * ln (1 - 2 * g)) ->
  falls 1 r (fun x => (C - logs_of x) / rate).
Proof.
  intros Hr Rate j x Hj I _ _. rewrite !logs_dueled by (auto; apply I). specialize (Rate j Hj).
  apply Rmult_le_reg_r with rate; [exact Hr|]. field_simplify; lra.
Qed.

Lemma sum_drift r : falls 0 r (fun x => total (fun j => / lk s x j) order).
Proof.
  intros j x Hj I _ _. pose proof (lk_pos s x j) as L.
  assert (E : forall b, total (fun i => / lk s (dueled j b x) i) order = total (fun i => / lk s x i) order +
    (/ (if b then 1 + 2 * g else 1 - 2 * g) - 1) * / lk s x j).
  { intro b. rewrite (total_change (fun i => / lk s x i) _ order j); auto.
    - rewrite lk_dueled by apply I. fold g. rewrite Rinv_mult. ring.
    - intros i Hi. now rewrite lk_other. }
  rewrite !E. pose proof (inverse_L g (P c j) 0 0 Hg (conj (Win j Hj) (proj2 (P01 c j))) (le_n _)) as Q.
  rewrite L_win, L_loss, L_start, !Rmult_1_r, Rinv_1 in Q by lia.
  assert (0 < / lk s x j) as I0 by positive. apply (Rmult_le_compat_r (/ lk s x j)) in Q; lra.
Qed.

Lemma exp_drift r : falls 0 r (fun x => exp (g * g / 2 * INR (spent x) - logs_of x / 2)).
Proof.
  intros j x Hj I _ _. rewrite !spent_dueled, !logs_dueled by (auto; apply I). rewrite S_INR. set (h := g * g / 2).
  set (e := exp (h * INR (spent x) - logs_of x / 2)).
  assert (E : forall y, 0 < y -> exp (h * (INR (spent x) + 1) - (logs_of x + ln y) / 2) = e * exp h * / sqrt y).
  { intros y Hy. unfold e. rewrite <- (exp_ln (/ sqrt y)) by (assert (0 < sqrt y) by positive; positive).
    rewrite <- !exp_plus. f_equal. rewrite ln_Rinv by positive.
    replace (ln y) with (2 * ln (sqrt y)); [field|].
    replace (ln y) with (ln (sqrt y * sqrt y)) by (f_equal; apply sqrt_sqrt; lra). rewrite ln_mult by positive. ring. }
  rewrite !E by lra.
  pose proof (root_drift g (P c j) Hg (conj (Win j Hj) (proj2 (P01 c j)))) as D. fold h in D.
  assert (0 < e * exp h) as Q by (unfold e; positive). apply (Rmult_le_compat_l (e * exp h)) in D; [|lra].
  replace (e * exp h * exp (- h)) with e in D; [lra|]. rewrite exp_Ropp. field. pose proof (exp_pos h). lra.
Qed.

Lemma logs_bound r x : inv N s m omega r x -> logs_of x <= INR (length order) * ln (2 / (sh * / asked r)).
Proof.
  intro I. apply total_le. intros j _. apply ln_le; [apply lk_pos|]. eapply Rle_trans; [apply I|]. fold g sh.
  pose proof (asked_pos r). replace (2 / (sh * / asked r)) with (2 * (asked r / sh)) by (field; lra).
  apply Rmult_le_compat_r; [positive|lra].
Qed.
End Potentials.

(** ** What a stage costs *)

Lemma loss_range N : (2 <= N)%nat -> 0 < certificate_loss N /\ INR (N - 1) * certificate_loss N <= / 4096.
Proof.
  intro HN. assert (2 <= INR N) as N2 by (apply (le_INR 2); lia). unfold certificate_loss.
  assert (0 < INR ((2 * N) ^ 6)) as E by (rewrite pow_INR, mult_INR; simpl (INR 2); positive).
  split; [positive|]. apply Rle_div_l; [exact E|].
  rewrite pow_INR, mult_INR, minus_INR by lia. simpl (INR 2). simpl (INR 1). set (x := INR N) in *.
  replace (/ 4096 * ((1 + 1) * x) ^ 6) with (/ 64 * ((x * x) * ((x * x) * (x * x)))) by field.
  assert (4 * (x - 1) <= x * x) by nra. assert (16 <= (x * x) * (x * x)) by nra. nra.
Qed.

Lemma rounds_exponent r : (3 * r + 4 <= 2 ^ (r + 2))%nat.
Proof. induction r as [|r IH]; [cbn; lia|]. cbn [Nat.add Nat.pow]. lia. Qed.
Lemma asked_S r : asked (S r) = asked r * asked r.
Proof. unfold asked. rewrite <- pow_add. f_equal. cbn [Nat.add Nat.pow]. lia. Qed.
Lemma ln_asked r : ln (asked r) = INR (2 ^ (r + 2)) * ln 2.
Proof. unfold asked. apply ln_pow. lra. Qed.
Lemma self_plays_asked r : INR (self_plays r) = asked r / 4 ^ r.
Proof.
  unfold self_plays, asked. rewrite pow_INR. simpl (INR 2). replace (1 + 1) with 2 by ring.
  pose proof (rounds_exponent r). apply Rmult_eq_reg_r with (4 ^ r); [|apply pow_nonzero; lra].
  replace 4 with (2 ^ 2) by ring. rewrite <- pow_mult, <- pow_add. replace (2 ^ (r + 2) - 2 * r + 2 * r)%nat
    with (2 ^ (r + 2))%nat by lia. field. apply pow_nonzero. lra.
Qed.
Lemma asked_le r r' : (r <= r')%nat -> asked r <= asked r'.
Proof. induction 1 as [|r' _ IH]; [lra|]. pose proof (asked_mono r'). lra. Qed.

Section Numbers.
Variables (N s m : nat).
Hypothesis HN : (2 <= N)%nat.
Hypothesis Hm : (m <= s)%nat.
Let M := INR (N - 1).
Let sh := share omega_own m.
Let most := bud N s m omega_own.
Lemma M1 : 1 <= M.
Proof. clear Hm. apply (le_INR 1). lia. Qed.
Lemma omega_nonneg : 0 <= omega_own. Proof. unfold omega_own. lra. Qed.
Lemma rest_nonneg : 0 <= rest m omega_own.
Proof. unfold rest, omega_own. pose proof (pos_INR m). positive. Qed.
Lemma share_range : 0 < sh <= 1 /\ ln (2 / sh) <= 2 * ln (INR s + 3/2) + 278/100.
Proof.
  unfold sh, share, part, omega_own. pose proof (pos_INR m) as M0. apply le_INR in Hm. split; [split; [positive|]|].
  - apply Rle_trans with ((1 - 1/2) * 1); [|lra]. apply Rmult_le_compat_l; [lra|]. apply Rle_div_l; nra.
  - apply Rle_trans with (ln ((INR s + 3/2) * (INR s + 3/2) * 2 ^ 4)).
    + apply ln_le; [positive|]. apply Rle_trans with (1 * ((4 * INR m + 1) * (4 * INR m + 5))).
      * right. field. lra.
      * apply Rle_trans with ((INR m + 3/2) * (INR m + 3/2) * 2 ^ 4); [nra|]. apply Rmult_le_compat_r; [lra|].
        apply Rmult_le_compat; lra.
    + pose proof (pos_INR s). rewrite !ln_mult, ln_pow by positive. pose proof ln2_le. simpl (INR 4). lra.
Qed.

Definition logs_asked (r : nat) : R := ln (2 / (sh * / asked r)).
Lemma logs_asked_is r : logs_asked r = ln (2 / sh) + ln (asked r).
Proof.
  unfold logs_asked. pose proof (asked_pos r). destruct share_range. rewrite <- ln_mult by positive. f_equal. field. lra.
Qed.
Lemma logs_asked_ge r : ln (asked r) <= logs_asked r.
Proof.
  rewrite logs_asked_is. destruct share_range. pose proof (ln_pos (2 / sh)).
  assert (1 < 2 / sh) by (apply Rlt_div_r; lra). lra.
Qed.
Lemma bud_range r : M * (2 * scale s * logs_asked r) + 9 * scale s <= INR (most r) <=
  M * (2 * scale s * logs_asked r + 4) + 9 * scale s.
Proof.
  pose proof (gap_range s). pose proof (scale_pos s). pose proof M1. destruct share_range as [Sh _].
  pose proof (level_r m omega_own Sh r) as L.
  unfold most, bud, stage_budget. rewrite plus_INR, !mult_INR, INR_pow4. replace (INR 4) with 4 by (simpl; lra).
  replace (4 ^ (s + 3)) with (9 * scale s) by (unfold scale; field). fold M.
  cbn [bbudget truncated_sprt]. fold sh. fold sh in L. fold (logs_asked r).
  assert (0 < logs_asked r) by (apply ln_pos, Rlt_div_r; lra).
  replace (1 / (2 * (gap s * gap s)) * logs_asked r) with (scale s / 2 * logs_asked r) by (rewrite <- scale_inv; field; lra).
  destruct (ceil_spec (scale s / 2 * logs_asked r)) as [C1 C2]; [positive|].
  apply (Rmult_le_compat_l M) in C1; [|lra]. apply Rlt_le, (Rmult_le_compat_l M) in C2; [|lra]. split; lra.
Qed.
Definition wrong_rate : R := 7/10 * (M * scale s).
Lemma bud_step r : INR (self_plays r) + (INR (most (S r)) - INR (most r)) <=
  (wrong_rate / 4 ^ r - wrong_rate / 4 ^ S r) * asked r.
Proof.
  pose proof (bud_range r) as [A _]. pose proof (bud_range (S r)) as [_ B]. pose proof (asked_pos r). pose proof M1.
  pose proof (scale_pos s). pose proof ln2_le. pose proof ln2_ge. pose proof (pow_lt 4 r ltac:(lra)) as P4.
  rewrite self_plays_asked. rewrite logs_asked_is, ln_asked in A. rewrite logs_asked_is, asked_S, ln_mult, ln_asked in B by lra.
  assert (16 * 4 ^ r <= asked r /\ 4 * INR (2 ^ (r + 2)) * 4 ^ r <= asked r) as [E1 E2].
  { pose proof (rounds_exponent r). rewrite pow_INR. simpl (INR 2). replace (1 + 1) with 2 by ring.
    replace 4 with (2 ^ 2) by ring. replace 16 with (2 ^ 4) by ring.
    rewrite <- pow_mult, <- !pow_add. unfold asked. split; (apply Rle_pow; [lra|lia]). }
  set (e := INR (2 ^ (r + 2))) in *. set (a := asked r) in *.
  apply Rle_trans with (a / 4 ^ r + M * (2 * scale s * (e * ln 2) + 4)); [lra|].
  cbn [pow]. replace ((wrong_rate / 4 ^ r - wrong_rate / (4 * 4 ^ r)) * a) with (21/40 * (M * scale s) * (a / 4 ^ r))
    by (unfold wrong_rate; field; lra).
  assert (16 <= a / 4 ^ r) as F1 by exact (proj1 (Rle_div_r _ _ _ P4) E1). assert (4 * e <= a / 4 ^ r) as F2 by exact (proj1 (Rle_div_r _ _ _ P4) E2).
  set (b := a / 4 ^ r) in *. assert (64/9 <= M * scale s) by nra.
  assert (M * (2 * scale s * (e * ln 2)) <= 347/1000 * (M * scale s) * b).
  { replace (M * (2 * scale s * (e * ln 2))) with (M * scale s * ((4 * e) * (ln 2 / 2))) by field.
    replace (347/1000 * (M * scale s) * b) with (M * scale s * (b * (347/1000))) by ring.
    apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat; try lra. unfold e. positive. }
  assert (4 * M <= 9/256 * (M * scale s) * b).
  { replace (9/256 * (M * scale s) * b) with (M * (9/256 * (scale s * b))) by ring.
    rewrite (Rmult_comm 4). apply Rmult_le_compat_l; [lra|]. nra. }
  assert (b <= 9/64 * (M * scale s) * b) by (rewrite <- (Rmult_1_l b) at 1; apply Rmult_le_compat_r; lra).
  assert (0 <= (M * scale s) * b) by (apply Rmult_le_pos; lra). lra.
Qed.

(** The budget of round [r] is used up. *)
Definition used_up (r : nat) : R := exp (M * logs_asked r / 2 - gap s * gap s / 2 * INR (most r)).
Lemma used_up_small r : used_up r <= (10/27) ^ 4 * (/ 2) ^ (r + 2).
Proof.
  pose proof (bud_range r) as [A _]. pose proof (scale_gap s) as SG. pose proof (gap_range s). pose proof M1.
  pose proof (logs_asked_ge r) as L. rewrite ln_asked in L. pose proof ln2_ge.
  apply Rle_trans with (exp (- INR 4) * exp (INR (r + 2) * - ln 2)).
  - rewrite <- exp_plus. apply exp_le. apply (Rmult_le_compat_l (gap s * gap s / 2)) in A; [|positive].
    replace (gap s * gap s / 2 * (M * (2 * scale s * logs_asked r) + 9 * scale s))
      with ((M * logs_asked r + 9 / 2) * (scale s * (gap s * gap s))) in A by field. rewrite SG in A.
    assert (2 * INR (r + 2) <= INR (2 ^ (r + 2))) as E.
    { rewrite <- (mult_INR 2). apply le_INR. pose proof (rounds_exponent r). lia. }
    apply (Rmult_le_compat_r (ln 2)) in E; [|lra].
    assert (1 * logs_asked r <= M * logs_asked r).
    { apply Rmult_le_compat_r; [|lra]. assert (0 <= INR (2 ^ (r + 2)) * ln 2) by positive. lra. }
    simpl (INR 4). lra.
  - apply Rmult_le_compat; try (left; apply exp_pos); [apply exp_minus|]. rewrite exp_pow, exp_Ropp, exp_ln by lra. lra.
Qed.
Fixpoint used_up_from (F r : nat) : R := match F with O => 0 | S F' => used_up r + used_up_from F' (S r) end.
Lemma used_up_all F : forall r, 0 <= used_up_from F r <= (10/27) ^ 4 * (/ 2) ^ (r + 1).
Proof.
  induction F as [|F IH]; intro r; cbn [used_up_from]; [split; [lra|positive]|]. specialize (IH (S r)).
  pose proof (used_up_small r). pose proof (exp_pos (M * logs_asked r / 2 - gap s * gap s / 2 * INR (most r))).
  fold (used_up r) in H0. replace (S r + 1)%nat with (S (r + 1)) in IH by lia.
  replace (r + 2)%nat with (S (r + 1)) in H by lia. cbn [pow] in *. lra.
Qed.
End Numbers.

(** What is known of a cell in stage [s], at level 0, and its evidence against [w]. *)
Record sane (s : nat) (x : cell) : Prop := {
  s_visits : (visits x <= s)%nat;
  s_life : forall j, (snd (life x j) <= fst (life x j))%nat;
  s_gone : forall j, gone x j = false }.
Definition worth (w : arm) (x : cell) : R :=
  omega_own * mixture (fst (life x w)) (snd (life x w)) + (1 - omega_own) / (4 * INR (visits x) + 1).
Lemma sane_empty s : sane s empty.
Proof. split; cbn; intros; lia || reflexivity. Qed.
Lemma worth_empty w : worth w empty = 1.
Proof. unfold worth, mixture, omega_own. cbn. field. Qed.
Lemma worth_nonneg s w x : sane s x -> 0 <= worth w x.
Proof.
  intros [_ B _]. unfold worth, omega_own. pose proof (W_pos _ _ (B w)). pose proof (pos_INR (visits x)). positive.
Qed.

Section Opened.
Variable P : arm -> arm -> R.
Variables (N s : nat) (w : arm) (Delta : R).
Hypothesis HC : condorcet P N w Delta.
Hypothesis HD : 0 < Delta.
Hypothesis HN : (2 <= N)%nat.
Let P01 := c_01 _ _ _ _ HC.
Let M := INR (N - 1).

Variables (x : cell) (c : arm) (order : list arm).
Hypothesis Hx : sane s x.
Hypothesis Hc : (c < N)%nat.
Hypothesis HL : length order = (N - 1)%nat.
Hypothesis HI : forall j, In j order <-> (j < N)%nat /\ j <> c.
Let m := visits x.
Let Hm : (m <= s)%nat := s_visits _ _ Hx.
Let sh := share omega_own m.
Let Sh : 0 < sh <= 1 := proj1 (share_range s m Hm).
Let R0 := rest_nonneg m.
Let O0 := omega_nonneg.
Let most := bud N s m omega_own.
Let run F := rounds N s m omega_own 0 self_plays c F 0 (against c order) (opened x).

Lemma order_NoDup : NoDup order.
Proof.
  assert (NoDup (c :: order)) as H; [|now inversion H].
  apply NoDup_incl_NoDup with (l := seq 0 N); [apply seq_NoDup|rewrite seq_length; change (S (@length arm order) <= N)%nat; lia|].
  intros j Hj. apply in_seq in Hj. destruct (Nat.eq_dec j c) as [->|Ne]; [cbn; auto|]. right. apply HI. lia.
Qed.
Let ND := order_NoDup.

Lemma inv_opened : inv N s m omega_own 0 (opened x).
Proof.
  pose proof Hx as [_ B G]. pose proof (gap_range s). pose proof (asked_pos 0). split; auto; try (intro; apply le_n); [apply Nat.le_0_l|].
  intro j. unfold lk. cbn [opened now nothing fst snd]. rewrite L_start.
  assert (1 <= asked 0 / sh) by (apply Rle_div_r; lra). fold sh. nra.
Qed.
Lemma known_opened : known s m omega_own w (opened x) = worth w x.
Proof.
  unfold known, worth, lk, rest, share, part. cbn [opened now all nothing fst snd]. rewrite L_start. fold m.
  pose proof (pos_INR m). field. lra.
Qed.
Lemma after F : leaves (fun o => match o with
    | Some y => sane (S s) (closed (S m) y) /\ worth w (closed (S m) y) <= known s m omega_own w y
    | None => True
    end) (run F).
Proof.
  eapply leaves_impl; [apply (rounds_leaves N s m omega_own c order ND Sh O0 F R0 0 _ inv_opened)|].
  intros [y|]; [|auto]. intros [r' I]. split.
  - split; [cbn; lia| |]; intro j; apply I.
  - unfold worth, known, rest. cbn [closed life visits]. rewrite S_INR. pose proof (lk_pos s y w).
    replace (4 * (INR m + 1) + 1) with (4 * INR m + 5) by ring. fold sh. assert (0 <= sh * lk s y w) by positive. lra.
Qed.

Lemma first_budget : INR (most 0) <= M * scale s * (4 * ln (INR s + 3/2) + 2 * ln (asked 0) + 1513/100).
Proof.
  pose proof (proj2 (bud_range N s m HN Hm 0)) as B. rewrite (logs_asked_is s m Hm) in B. fold most M in B.
  pose proof (proj2 (share_range s m Hm)) as L. pose proof (M1 N HN) as M1. fold M in M1. pose proof (scale_pos s).
  fold sh in B, L. assert (64/9 <= M * scale s) by nra. apply (Rmult_le_compat_l (2 * (M * scale s))) in L; [|lra].
  assert (4 * M <= 9/16 * (M * scale s)) by nra. assert (9 * scale s <= 9 * (M * scale s)) by nra. lra.
Qed.

(** Of another arm than the winner, of which every duel may cost 1. *)
Lemma wrong_rounds rg T F : c <> w ->
  regret_until P rg T (run F) <= INR (most 0) + wrong_rate N s * worth w x.
Proof.
  intro Ne. assert (P c w <= 1/2) as Hw.
  { pose proof (c_win _ _ _ _ HC c Hc Ne). rewrite (c_anti _ _ _ _ HC w c). lra. }
  assert (In w order) as Hin by (apply HI; split; [apply (c_in _ _ _ _ HC)|auto]).
  set (Phi := fun r y => INR (most r) - INR (spent y) + wrong_rate N s / 4 ^ r * known s m omega_own w y).
  assert (0 <= wrong_rate N s) as W0.
  { unfold wrong_rate. pose proof (M1 N HN). pose proof (scale_pos s). positive. }
  assert (Rate : forall r, 0 <= wrong_rate N s / 4 ^ r) by (intro r; assert (0 < 4 ^ r) by positive; positive).
  assert (Known : forall r y, inv N s m omega_own r y -> 0 <= known s m omega_own w y).
  { intros r y I. unfold known. pose proof (W_pos _ _ (i_all _ _ _ _ _ _ I w)). pose proof (lk_pos s y w). fold sh.
    positive. }
  assert (Left : forall r y, inv N s m omega_own r y -> INR (spent y) <= INR (most r)) by (intros r y I; apply le_INR, I).
  eapply Rle_trans; [apply (rounds_cost P P01 N s m omega_own c order ND Sh O0 rg T 1 Phi R0)|].
  - intros j _. unfold ind. destruct (rg c j); lra.
  - intros r _ j y Hj I En Sp. pose proof (known_drift P P01 N s m omega_own c order Sh O0 w r Hw j y Hj I En Sp) as D.
    apply (Rmult_le_compat_l _ _ _ (Rate r)) in D. unfold Phi. rewrite !spent_dueled, S_INR. lra.
  - intros r y _ I Pass. specialize (Pass w Hin). pose proof (bud_step N s m HN Hm r) as B. fold most in B.
    assert (I' : inv N s m omega_own (S r) y) by (apply inv_S; auto).
    pose proof (Left (S r) y I'). pose proof (Known r y I) as K0. pose proof (pos_INR (self_plays r)) as SP.
    assert (0 <= wrong_rate N s / 4 ^ r - wrong_rate N s / 4 ^ S r) as Q.
    { assert (0 < 4 ^ r) by positive. cbn [pow]. replace (wrong_rate N s / 4 ^ r - wrong_rate N s / (4 * 4 ^ r))
        with (3/4 * (wrong_rate N s / 4 ^ r)) by (field; lra). specialize (Rate r). lra. }
    apply (Rmult_le_compat_l _ _ _ Q) in Pass. specialize (Rate (S r)).
    assert (0 <= wrong_rate N s / 4 ^ S r * known s m omega_own w y) by positive.
    apply Rle_trans with (INR (self_plays r) + Phi (S r) y); [|unfold Phi; lra].
    apply Rplus_le_compat; [unfold ind; destruct (rg c c); lra|].
    unfold Phi. destruct (Nat.ltb _ _); lra.
  - intros r y _ I. unfold Phi. specialize (Left r y I). specialize (Known r y I). specialize (Rate r).
    assert (0 <= wrong_rate N s / 4 ^ r * known s m omega_own w y) by positive. lra.
  - left. reflexivity.
  - exact inv_opened.
  - unfold Phi. rewrite known_opened. cbn [opened spent]. simpl (INR 0). cbn [pow]. lra.
Qed.

(** What is known against it stays the same in expectation. *)
Lemma wrong_worth F : c <> w ->
  expect P (run F) (fun o => match o with Some y => known s m omega_own w y | None => 0 end) <= worth w x.
Proof.
  intro Ne. assert (P c w <= 1/2) as Hw.
  { pose proof (c_win _ _ _ _ HC c Hc Ne). rewrite (c_anti _ _ _ _ HC w c). lra. }
  rewrite <- known_opened.
  apply (rounds_expect P P01 N s m omega_own c order ND Sh O0 (fun _ _ => known s m omega_own w)
    (known s m omega_own w) R0); try (intros; apply Rle_refl).
  - intros _ r. now apply known_drift.
  - intros r y I. unfold known. pose proof (W_pos _ _ (i_all _ _ _ _ _ _ I w)). pose proof (lk_pos s y w). fold sh.
    positive.
  - exact inv_opened.
Qed.

(** The winner's duels: free ... *)
Lemma free_rounds rg T F : (forall j, In j order -> rg c j = false) -> rg c c = false ->
  regret_until P rg T (run F) <= 0.
Proof.
  intros Free Free'. apply (rounds_cost P P01 N s m omega_own c order ND Sh O0 rg T 0 (fun _ _ => 0) R0).
  - intros j Hj. rewrite Free by exact Hj. cbn. lra.
  - intros r _ j y _ _ _ _. lra.
  - intros r y _ _ _. rewrite Free'. unfold ind. destruct (Nat.ltb _ _); lra.
  - intros. lra.
  - now left.
  - exact inv_opened.
Qed.

(** ... or within the budget of the last round that has begun by [T] ... *)
Lemma capped_rounds rg T F r' : rg c c = false -> (forall r, begun T r -> (r <= r')%nat) ->
  regret_until P rg T (run F) <= INR (most r').
Proof.
  intros Free Last.
  assert (Le : forall r, (r <= r')%nat -> (most r <= most r')%nat).
  { clear Last. intros r H. induction H as [|r' _ IH]; [lia|]. pose proof (bud_mono N s m omega_own Sh r'). unfold most in *. lia. }
  eapply Rle_trans; [apply (rounds_cost P P01 N s m omega_own c order ND Sh O0 rg T 1
    (fun _ y => INR (most r') - INR (spent y)) R0)|].
  - intros j _. unfold ind. destruct (rg c j); lra.
  - intros r _ j y _ _ _ _. rewrite !spent_dueled, S_INR. lra.
  - intros r y Hr I _. rewrite Free. cbn [ind]. pose proof (i_spent _ _ _ _ _ _ I) as Sp.
    specialize (Le r (Last r Hr)). fold most in Sp. assert (INR (spent y) <= INR (most r')) by (apply le_INR; lia).
    destruct (Nat.ltb _ _); lra.
  - intros r y Hr I. pose proof (i_spent _ _ _ _ _ _ I) as Sp. specialize (Le r (Last r Hr)). fold most in Sp.
    assert (INR (spent y) <= INR (most r')) by (apply le_INR; lia). lra.
  - now left.
  - exact inv_opened.
  - cbn [opened spent]. simpl (INR 0). lra.
Qed.

(** ... and less where its gap is at least the one that is tried: as Wald has it. *)
Hypothesis Win : forall j, In j order -> 1/2 + gap s <= P c j.
Lemma logs_opened : logs_of s order (opened x) = 0.
Proof.
  unfold logs_of, total. clear. induction order as [|j l IH]; [reflexivity|]. cbn [fold_right]. rewrite IH.
  unfold lk. cbn [opened now nothing fst snd]. rewrite L_start, ln_1. ring.
Qed.
Lemma timed_rounds rg T F r' rate : 0 < rate ->
  (forall j, In j order -> rate * (gap s * gap s) <= P c j * ln (1 + 2 * gap s) + (1 - P c j) * ln (1 - 2 * gap s)) ->
  rg c c = false -> (forall r, begun T r -> (r <= r')%nat) ->
  regret_until P rg T (run F) <= M * logs_asked m r' / rate * scale s.
Proof.
  intros Rate0 Rate Free Last. pose proof (gap_range s) as Hg. assert (0 < gap s * gap s) as G2 by nra. pose proof (M1 N HN) as M1.
  set (C := M * logs_asked m r').
  assert (Le : forall r y, begun T r -> inv N s m omega_own r y -> logs_of s order y <= C).
  { intros r y Hr I. eapply Rle_trans; [apply (logs_bound N s m omega_own order Sh r y I)|]. rewrite HL. unfold C.
    fold M. apply Rmult_le_compat_l; [unfold M; lra|]. change (logs_asked m r <= logs_asked m r').
    rewrite !(logs_asked_is s m Hm). apply Rplus_le_compat_l. pose proof (asked_pos r). apply ln_le; [lra|].
    apply asked_le, Last, Hr. }
  eapply Rle_trans; [apply (rounds_cost P P01 N s m omega_own c order ND Sh O0 rg T 1
    (fun _ y => (C - logs_of s order y) / (rate * (gap s * gap s))) R0)|].
  - intros j _. unfold ind. destruct (rg c j); lra.
  - intros r _. apply time_drift; auto. positive.
  - intros r y Hr I _. rewrite Free. cbn [ind]. specialize (Le r y Hr I).
    assert (0 <= (C - logs_of s order y) / (rate * (gap s * gap s))) by positive. destruct (Nat.ltb _ _); lra.
  - intros r y Hr I. specialize (Le r y Hr I). positive.
  - now left.
  - exact inv_opened.
  - rewrite logs_opened. rewrite <- (scale_inv s). right. unfold C. field. lra.
Qed.

(** It is seldom given up. *)
Lemma seldom_lost F :
  expect P (run F) (fun o => match o with Some _ => 1 | None => 0 end) <= / 4096 + (10/27) ^ 4 / 2.
Proof.
  destruct (loss_range N HN) as [E0 E1]. set (e := certificate_loss N) in *. pose proof (M1 N HN) as M1.
  set (h := gap s * gap s / 2). pose proof (gap_range s) as Hg.
  set (S1 := fun y => total (fun j => / lk s y j) order).
  set (S2 := fun y => exp (h * INR (spent y) - logs_of s order y / 2)).
  assert (forall y, 0 <= S1 y) as S1p.
  { intro y. apply total_nonneg. intro j. pose proof (lk_pos s y j). positive. }
  assert (forall y, 0 <= S2 y) as S2p by (intro y; left; apply exp_pos).
  assert (U : forall F r, 0 <= used_up_from N s m F r) by (intros; now apply used_up_all).
  eapply Rle_trans; [apply (rounds_expect P P01 N s m omega_own c order ND Sh O0
    (fun F r y => e * S1 y + used_up_from N s m F r * S2 y) (fun _ => 1) R0)|].
  - intros F' r j y Hj I En Sp.
    pose proof (sum_drift P P01 N s m omega_own c order ND Win r j y Hj I En Sp) as D1.
    pose proof (exp_drift P P01 N s m omega_own c order ND Win r j y Hj I En Sp) as D2. fold h in D2.
    apply (Rmult_le_compat_l e) in D1; [|lra]. apply (Rmult_le_compat_l _ _ _ (U F' r)) in D2.
    unfold S1, S2. lra.
  - intros F' r y _. cbn [used_up_from]. assert (0 <= used_up N s m r) by (left; apply exp_pos).
    apply Rplus_le_compat_l, Rmult_le_compat_r; [auto|lra].
  - intros F' r y I [(j & Hj & Be)|Sp]; cbn [used_up_from].
    + assert (1 <= e * S1 y) as Q.
      { unfold beaten, sinks in Be. destruct (Rle_dec _ _) as [Q|]; [|discriminate].
        rewrite (i_own _ _ _ _ _ _ I) in Q. fold e (lk s y j) in Q. pose proof (lk_pos s y j) as L.
        apply Rle_trans with (e * / lk s y j); [apply (Rle_div_r 1 e); lra|]. apply Rmult_le_compat_l; [lra|].
        apply (total_ge (fun j => / lk s y j)); [|exact Hj]. intro i. pose proof (lk_pos s y i). positive. }
      assert (0 <= used_up N s m r) by (left; apply exp_pos). pose proof (U F' (S r)). specialize (S2p y).
      assert (0 <= (used_up N s m r + used_up_from N s m F' (S r)) * S2 y) by positive. lra.
    + assert (1 <= used_up N s m r * S2 y) as Q.
      { unfold used_up, S2. rewrite <- exp_plus, <- exp_0. apply exp_le. rewrite Sp.
        pose proof (logs_bound N s m omega_own order Sh r y I) as L. rewrite HL in L.
        change (logs_of s order y <= INR (N - 1) * logs_asked m r) in L. fold h. lra. }
      specialize (S1p y). pose proof (U F' (S r)). specialize (S2p y). assert (0 <= e * S1 y) by positive.
      assert (0 <= used_up_from N s m F' (S r) * S2 y) by positive. lra.
  - intros r y _. cbn [used_up_from]. specialize (S1p y). assert (0 <= e * S1 y) by positive. lra.
  - exact inv_opened.
  - apply Rplus_le_compat.
    + eapply Rle_trans; [|exact E1]. rewrite Rmult_comm. apply Rmult_le_compat_r; [lra|]. rewrite <- HL.
      rewrite <- (Rmult_1_r (INR (length order))). apply total_le. intros j _. unfold lk.
      cbn [opened now nothing fst snd]. rewrite L_start. lra.
    + unfold S2. rewrite logs_opened. cbn [opened spent]. simpl (INR 0).
      replace (h * 0 - 0 / 2) with 0 by field. rewrite exp_0, Rmult_1_r.
      pose proof (proj2 (used_up_all N s m HN Hm F 0)) as Q. cbn [Nat.add pow] in Q. cbn [pow]. lra.
Qed.
End Opened.

(** ** The memory *)

Definition lookup (i : arm) (l : cells) : cell := match position i l with Some k => cell_at k l | None => empty end.

Lemma position_name c l : forall k, position c l = Some k -> (k < length l)%nat /\ fst (nth k l (0%nat, empty)) = c.
Proof.
  induction l as [|[i x] l IH]; intros k H; cbn [position] in H; [discriminate|].
  destruct (Nat.eqb_spec i c) as [->|Ne]; [injection H as <-; cbn; split; [lia|reflexivity]|].
  destruct (position c l) as [k'|]; [|discriminate]. injection H as <-. cbn. destruct (IH k' eq_refl). split; [lia|auto].
Qed.
Lemma position_put i x l : forall k, position i (put k x l) = position i l.
Proof.
  induction l as [|[j y] l IH]; intro k; [destruct k; reflexivity|]. destruct k; cbn [put position]; [reflexivity|]. now rewrite IH.
Qed.
Lemma cell_at_put x l : forall k k', (k < length l)%nat ->
  cell_at k' (put k x l) = if Nat.eqb k' k then x else cell_at k' l.
Proof.
  unfold cell_at. induction l as [|[i y] l IH]; intros k k' Hk; cbn [length] in Hk; [lia|].
  destruct k as [|k], k' as [|k']; cbn [put nth Nat.eqb snd]; try reflexivity. apply IH. lia.
Qed.
Lemma lookup_put c k x l i : position c l = Some k -> lookup i (put k x l) = if Nat.eqb i c then x else lookup i l.
Proof.
  intro H. destruct (position_name c l k H) as [Hk Name]. unfold lookup. rewrite position_put.
  destruct (Nat.eqb_spec i c) as [->|Ne]; [rewrite H, cell_at_put, Nat.eqb_refl; auto|].
  destruct (position i l) as [k'|] eqn:E; [|reflexivity]. rewrite cell_at_put by exact Hk.
  destruct (Nat.eqb_spec k' k) as [->|]; [|reflexivity]. destruct (position_name i l k E) as [_ Name']. congruence.
Qed.
Lemma position_app i l l' : position i (l ++ l') =
  match position i l with Some k => Some k | None => option_map (Nat.add (length l)) (position i l') end.
Proof.
  induction l as [|[j y] l IH]; cbn [app position length]; [destruct (position i l'); reflexivity|].
  destruct (Nat.eqb j i); [reflexivity|]. rewrite IH. destruct (position i l); [reflexivity|].
  destruct (position i l'); reflexivity.
Qed.
Lemma lookup_new c l : position c l = None ->
  position c (l ++ [(c, empty)]) = Some (length l) /\ forall i, lookup i (l ++ [(c, empty)]) = lookup i l.
Proof.
  intro H. split; [rewrite position_app, H; cbn; rewrite Nat.eqb_refl; cbn; now rewrite Nat.add_0_r|].
  intro i. unfold lookup. rewrite position_app. destruct (position i l) as [k|] eqn:E.
  - unfold cell_at. destruct (position_name i l k E). now rewrite app_nth1.
  - cbn [position]. destruct (Nat.eqb c i); [|reflexivity]. cbn [option_map]. unfold cell_at.
    rewrite app_nth2, Nat.add_0_r, Nat.sub_diag by lia. reflexivity.
Qed.

(** ** A stage *)

Lemma E_bind_Ret P {A B} (m : prog A) (k : A -> B) f : expect P (bind m (fun a => Ret (k a))) f = expect P m (fun a => f (k a)).
Proof. now rewrite E_bind. Qed.

Section OneStage.
Variable P : arm -> arm -> R.
Variables (N s : nat) (w : arm) (Delta : R).
Hypothesis HC : condorcet P N w Delta.
Hypothesis HD : 0 < Delta.
Hypothesis HN : (2 <= N)%nat.
Let P01 := c_01 _ _ _ _ HC.
Let M := INR (N - 1).
Variables (F : nat) (l : cells) (c : arm) (order : list arm).
Hypothesis Hl : forall i, sane s (lookup i l).
Hypothesis Hc : (c < N)%nat.
Hypothesis HL : length order = (N - 1)%nat.
Hypothesis HI : forall j, In j order <-> (j < N)%nat /\ j <> c.
Let x := lookup c l.
Let m := visits x.
Let stage := own_stage N 0 self_plays (fun _ => F) s l c (against c order).
Let run := rounds N s m omega_own 0 self_plays c F 0 (against c order) (opened x).

Lemma no_answer y : (forall j, gone y j = false) -> answer N c y = None.
Proof.
  intro G. unfold answer. destruct N as [|[|n]]; [lia|lia|]. cbn [seq filter]. rewrite !G. cbn. reflexivity.
Qed.

(** With a cell that is there, and after a screen if it is new. *)
Definition visiting (l0 : cells) (k : nat) : prog (option (cells * option arm)) := bind run (fun o => Ret (match o with
  | Some y => Some (put k (closed (S m) y) l0, answer N c (closed (S m) y)) | None => None end)).
Lemma stage_is : exists l0 k, position c l0 = Some k /\ (forall i, lookup i l0 = lookup i l) /\
  (stage = visiting l0 k \/
   stage = bind (screen s (against c order)) (fun o => if certified o then visiting l0 k else Ret (Some (l, None)))).
Proof.
  assert (V : forall l0 k, cell_at k l0 = x -> visit_own N 0 self_plays (fun _ => F) s l0 k c (against c order) =
    visiting l0 k).
  { intros l0 k Hk. unfold visit_own, visiting, visit, obind, champion_level. rewrite Hk, Rmult_0_l. unfold run, m.
    generalize (rounds N s (visits x) omega_own 0 self_plays c F 0 (against c order) (opened x)). intro p.
    induction p as [[y|]|t u v f IH]; cbn [bind]; try reflexivity. f_equal.
    apply FunctionalExtensionality.functional_extensionality. exact IH. }
  unfold stage, own_stage. destruct (position c l) as [k|] eqn:E.
  - exists l, k. split; [exact E|]. split; [auto|]. left. apply V. unfold x, lookup. now rewrite E.
  - destruct (lookup_new c l E) as [A B]. exists (l ++ [(c, empty)]), (length l). split; [exact A|]. split; [exact B|].
    right. f_equal. apply FunctionalExtensionality.functional_extensionality. intro o. destruct (certified o); [|reflexivity].
    apply V. specialize (B c). unfold lookup in B at 1. rewrite A in B. exact B.
Qed.

Definition next (o : option (cells * option arm)) : Prop := match o with
  | Some (l', a) => a = None /\ (forall i, sane (S s) (lookup i l')) /\ (forall i, i <> c -> lookup i l' = lookup i l)
  | None => True
  end.
Let After := after N s w HN x c order (Hl c) Hc HL HI F.

Lemma sane_S i : sane (S s) (lookup i l).
Proof. destruct (Hl i) as [A B G]. split; auto. Qed.
Lemma visiting_next l0 k : position c l0 = Some k -> (forall i, lookup i l0 = lookup i l) ->
  leaves next (visiting l0 k).
Proof.
  intros Hk H. unfold visiting. eapply leaves_bind; [exact After|]. intros [y|] Hy; [|exact Logic.I]. cbn [leaves next].
  destruct Hy as [Sy _]. split; [apply no_answer, Sy|]. split; intro i.
  - rewrite (lookup_put c) by exact Hk. rewrite H. destruct (Nat.eqb i c); [exact Sy|apply sane_S].
  - intro Ne. rewrite (lookup_put c) by exact Hk. rewrite H. destruct (Nat.eqb_spec i c); [contradiction|reflexivity].
Qed.
Lemma stage_next : leaves next stage.
Proof.
  destruct stage_is as (l0 & k & Hk & H & [->| ->]); [now apply visiting_next|].
  eapply leaves_bind; [apply leaves_true|]. intros o _. destruct (certified o); [now apply visiting_next|].
  cbn. split; [reflexivity|]. split; [exact sane_S|auto].
Qed.

Lemma stage_worth : c <> w ->
  expect P stage (fun o => match o with Some (l', _) => worth w (lookup c l') | None => 0 end) <= worth w x.
Proof.
  intro Ne. destruct stage_is as (l0 & k & Hk & H & E).
  assert (expect P (visiting l0 k) (fun o => match o with Some (l', _) => worth w (lookup c l') | None => 0 end) <= worth w x)
    as V.
  { unfold visiting. rewrite E_bind_Ret.
    eapply Rle_trans; [|apply (wrong_worth P N s w Delta HC HD HN x c order (Hl c) Hc HL HI F Ne)].
    eapply (E_mono_leaves P P01); [exact After|]. intros [y|] Hy; [|lra]. rewrite (lookup_put c) by exact Hk.
    rewrite Nat.eqb_refl. apply Hy. }
  destruct E as [->| ->]; [exact V|]. rewrite E_bind. apply E_le; [exact P01|]. intro o.
  destruct (certified o); [exact V|]. cbn. apply Rle_refl.
Qed.

Lemma screen_duels : INR (maxT (screen s (against c order))) <= 36 * scale s.
Proof.
  eapply Rle_trans; [apply le_INR, within_budget|]. unfold screen_budget. rewrite INR_pow4, <- plus_n_Sm. unfold scale.
  cbn [pow]. lra.
Qed.
Lemma stage_cost rg T a b : 0 <= a -> regret_until P rg T (screen s (against c order)) <= a ->
  0 <= b -> regret_until P rg T run <= b -> regret_until P rg T stage <= a + b.
Proof.
  intros A0 A B0 B. assert (V : forall l0 k, regret_until P rg T (visiting l0 k) <= b).
  { intros l0 k. eapply Rle_trans; [apply until_bind, P01|]. rewrite (E_ext _ _ _ (fun _ => 0)), E_const; [lra|].
    intro; apply until_Ret. }
  destruct stage_is as (l0 & k & _ & _ & [->| ->]); [apply Rle_trans with b; [apply V|lra]|].
  eapply Rle_trans; [apply until_bind, P01|]. apply Rplus_le_compat; [exact A|]. apply E_le; [exact P01|]. intro o.
  destruct (certified o); [apply V|]. rewrite until_Ret. exact B0.
Qed.

(** The winner's. *)
Hypothesis Hw : c = w.
Hypothesis Hs : gap s <= Delta.
Lemma own_win : forall j, In j order -> 1/2 + gap s <= P c j.
Proof. intros j Hj. apply HI in Hj. destruct Hj as [A B]. rewrite Hw.
  pose proof (c_win _ _ _ _ HC j A ltac:(congruence)). lra. Qed.

Lemma screen_right : 1 - (/ 32 + (10/27) ^ 14) <= Pr P (screen s (against c order)) certified /\
  ET P (screen s (against c order)) <= 3123/1000 * scale s.
Proof.
  pose proof (gap_range s) as Hg. pose proof ln2_le as L2. pose proof (scale_gap s) as SG. pose proof (scale_pos s) as S0.
  set (few := firstn 1 (against c order)).
  assert (0 <= INR (length few) <= 1) as Len by (split; [apply pos_INR|apply (le_INR _ 1), firstn_le_length]).
  assert (valid P) as HP by (split; [exact P01|apply (c_anti _ _ _ _ HC)]).
  destruct (certificate_complete P (gap s) (/ 256) (/ 32) (screen_rule (gap s)) (screen_budget s) (screen_budget s) few)
    as [A B]; auto; try lra.
  { intros n k _. unfold screen_rule. split; [destruct (reaches _ _ _ _); [discriminate|reflexivity]|].
    destruct (reaches _ _ _ _); [discriminate|]. destruct (sinks _ _ _ _); [reflexivity|discriminate]. }
  { intros u v Hin. assert (In (u, v) (against c order)) as Hin'.
    { rewrite <- (firstn_skipn 1 (against c order)). apply in_or_app. now left. }
    apply in_map_iff in Hin'. destruct Hin' as (j & E & Hj). injection E as <- <-. split; [|now apply own_win].
    apply HI in Hj. intuition auto. }
  assert (0 <= ln (1 + 2 * gap s) <= ln 2) as LG by (rewrite <- ln_1 at 1; split; apply ln_le; lra).
  assert (ln 256 = 8 * ln 2) as L256 by (replace 256 with (2 ^ 8) by ring; rewrite ln_pow by lra; simpl (INR 8); ring).
  split.
  - eapply Rle_trans; [|exact A]. apply Rplus_le_compat_l, Ropp_le_contravar, Rplus_le_compat; [lra|].
    eapply Rle_trans; [|apply (exp_minus 14)]. apply exp_le. simpl (INR 14).
    replace (INR (screen_budget s)) with (36 * scale s)
      by (unfold screen_budget; rewrite INR_pow4, <- plus_n_Sm; unfold scale; cbn [pow]; field).
    replace ((1 + 2 * gap s) / / 256) with ((1 + 2 * gap s) * 256) by field. rewrite ln_mult by lra. nra.
  - eapply Rle_trans; [apply refines_ET; [exact P01|apply within_refines]|]. eapply Rle_trans; [exact B|].
    unfold L_time, Rdiv. rewrite Rinv_inv, L256, Rinv_mult, scale_inv. pose proof ln2_ge.
    apply Rle_trans with (1 * ((8 * ln 2 + ln (1 + 2 * gap s)) * (/ 2 * scale s))).
    + apply Rmult_le_compat_r; [|lra]. positive.
    + rewrite Rmult_1_l, <- Rmult_assoc. apply Rmult_le_compat_r; lra.
Qed.

Lemma stage_goes_on : expect P stage (fun o => match o with Some _ => 1 | None => 0 end) <= 9/200.
Proof.
  set (q := / 4096 + (10/27) ^ 4 / 2). set (q' := / 32 + (10/27) ^ 14). assert (q + q' <= 9/200) by (unfold q, q'; lra).
  assert (V : forall l0 k, expect P (visiting l0 k) (fun o => match o with Some _ => 1 | None => 0 end) <= q).
  { intros l0 k. unfold visiting. rewrite E_bind_Ret.
    eapply Rle_trans; [|apply (seldom_lost P N s w Delta HC HN x c order (Hl c) Hc HL HI own_win F)].
    apply E_mono; [exact P01|]. intros [y|]; lra. }
  destruct stage_is as (l0 & k & _ & _ & [->| ->]); [specialize (V l0 k); unfold q, q' in *; lra|].
  rewrite E_bind. apply Rle_trans with (q + q' * 1); [|lra].
  apply (E_unless P P01 _ _ certified _ _ _ _ (leaves_true _)); [lra|apply screen_right|]. intros o _.
  destruct (certified o); [rewrite Rplus_0_r; apply V|]. cbn. unfold q. lra.
Qed.
End OneStage.

(** ** All stages *)

Lemma E_swap P {A B} (m : prog A) (m' : prog B) (f : A -> B -> R) :
  expect P m (fun a => expect P m' (f a)) = expect P m' (fun b => expect P m (fun a => f a b)).
Proof. induction m as [a|t u v k IH]; cbn [expect]; [reflexivity|]. now rewrite !IH, E_plus, !E_scal. Qed.

Lemma scale_le s t : (s <= t)%nat -> scale s <= scale t.
Proof. induction 1 as [|t _ IH]; [lra|]. rewrite scale_S. pose proof (scale_pos t). lra. Qed.

Section Search.
Variable P : arm -> arm -> R.
Variables (N : nat) (w : arm) (Delta : R).
Hypothesis HC : condorcet P N w Delta.
Hypothesis HD : 0 < Delta.
Hypothesis HN : (2 <= N)%nat.
Let P01 := c_01 _ _ _ _ HC.
Let M := INR (N - 1).
Variable find : nat -> prog (option (arm * list (arm * arm))).
Hypothesis Finds : finds (own_matches N) P N w Delta find.
Let F_own := proj1 Finds.
Let F_starts := proj1 (proj2 Finds).
Let F_cost := proj1 (proj2 (proj2 Finds)).
Let F_right := proj1 (proj2 (proj2 (proj2 Finds))).

Variables (rg : arm -> arm -> bool) (T : nat) (won : nat -> R).
Hypothesis won_nonneg : forall s, 0 <= won s.
Hypothesis won_cost : forall F s l order, (forall i, sane s (lookup i l)) -> length order = (N - 1)%nat ->
  (forall j, In j order <-> (j < N)%nat /\ j <> w) ->
  regret_until P rg T (own_stage N 0 self_plays (fun _ => F) s l w (against w order)) <= won s.

Definition lost (s : nat) : R := M * scale s * (4 * ln (INR s + 3/2) + 2 * ln (asked 0) + 5113/100).
Definition worths (l : cells) (i : arm) : R := if Nat.eqb i w then 0 else worth w (lookup i l).
Definition goes_on (s : nat) : R := if Rle_dec (gap s) Delta then 1/6 else 1.
Definition of_champion (s : nat) (v : arm -> R) (o : option (arm * list (arm * arm))) : R :=
  match o with Some (c, _) => if Nat.eqb c w then won s else lost s + wrong_rate N s * v c | None => 0 end.
(** What [n] stages from [s] on cost, if [v i] is what is known of the cell of [i]. *)
Fixpoint price (n s : nat) (v : arm -> R) : R :=
  match n with
  | O => 0
  | S n' => C_find * M * scale s + expect P (find s) (of_champion s v) + goes_on s * price n' (S s) v
  end.

Lemma M_pos : 1 <= M.
Proof. apply (le_INR 1). lia. Qed.
Lemma lost_nonneg s : 0 <= lost s.
Proof.
  unfold lost. pose proof M_pos. pose proof (scale_pos s). pose proof (ln_stage_nonneg s). pose proof (asked_pos 0).
  pose proof (ln_pos (asked 0) H2). positive.
Qed.
Lemma rate_nonneg s : 0 <= wrong_rate N s.
Proof. unfold wrong_rate. pose proof M_pos. pose proof (scale_pos s). fold M. positive. Qed.
Lemma goes_on_range s : 1/6 <= goes_on s <= 1.
Proof. unfold goes_on. destruct (Rle_dec _ _); lra. Qed.
Lemma price_mono n : forall s v v', (forall i, i <> w -> v i <= v' i) -> price n s v <= price n s v'.
Proof.
  induction n as [|n IH]; intros s v v' H; cbn [price]; [lra|]. pose proof (goes_on_range s). specialize (IH (S s) v v' H).
  apply Rplus_le_compat; [apply Rplus_le_compat_l, E_mono; [exact P01|]|apply Rmult_le_compat_l; lra].
  intros [[c ps]|]; cbn; [|lra]. destruct (Nat.eqb_spec c w); [lra|]. apply Rplus_le_compat_l, Rmult_le_compat_l; auto.
  apply rate_nonneg.
Qed.
Lemma price_nonneg n : forall s v, (forall i, 0 <= v i) -> 0 <= price n s v.
Proof.
  induction n as [|n IH]; intros s v H; cbn [price]; [lra|]. pose proof (goes_on_range s). specialize (IH (S s) v H).
  pose proof M_pos. pose proof (scale_pos s). assert (0 <= C_find * M * scale s) by (unfold C_find; positive).
  assert (0 <= expect P (find s) (of_champion s v)); [|assert (0 <= goes_on s * price n (S s) v) by positive; lra].
  rewrite <- (E_const P (find s) 0). apply E_mono; [exact P01|]. intros [[c ps]|]; cbn; [|lra].
  destruct (Nat.eqb c w); [apply won_nonneg|]. pose proof (lost_nonneg s). pose proof (rate_nonneg s). specialize (H c).
  assert (0 <= wrong_rate N s * v c) by positive. lra.
Qed.
Lemma price_expect {A} (m : prog A) (V : A -> arm -> R) n : forall s,
  expect P m (fun a => price n s (V a)) = price n s (fun i => expect P m (fun a => V a i)).
Proof.
  induction n as [|n IH]; intro s; cbn [price]; [apply E_const|]. rewrite !E_plus, E_const, E_scal, IH. do 2 f_equal.
  rewrite E_swap. apply E_ext. intros [[c ps]|]; cbn; [|apply E_const]. destruct (Nat.eqb c w); [apply E_const|].
  now rewrite E_plus, E_const, E_scal.
Qed.

Lemma worths_nonneg s l i : (forall i, sane s (lookup i l)) -> 0 <= worths l i.
Proof. intro H. unfold worths. destruct (Nat.eqb i w); [lra|]. now apply (worth_nonneg s). Qed.

Lemma stages_cost F n : forall s l, (forall i, sane s (lookup i l)) ->
  regret_until P rg T (stages find (own_stage N 0 self_plays (fun _ => F)) n s l) <= price n s (worths l).
Proof.
  induction n as [|n IH]; intros s l Hl; cbn [stages price]; [rewrite until_Ret; lra|]. unfold obind at 1.
  eapply Rle_trans; [apply until_bind, P01|]. rewrite Rplus_assoc. apply Rplus_le_compat.
  { eapply Rle_trans; [apply until_le_ET, P01|]. eapply Rle_trans; [apply F_cost|]. unfold Rdiv. rewrite scale_inv.
    apply Rle_refl. }
  set (B := price n (S s) (worths l)).
  assert (0 <= B) as B0 by (apply price_nonneg; intro i; now apply (worths_nonneg s)).
  set (q := if Rle_dec (gap s) Delta then 9/200 else 1). assert (0 <= q <= 1) as Q by (unfold q; destruct (Rle_dec _ _); lra).
  apply Rle_trans with (expect P (find s) (fun o => of_champion s (worths l) o + B * if found w o then q else 1)).
  - eapply (E_mono_leaves P P01); [apply F_own|]. intros [[c ps]|] Hm.
    2:{ rewrite until_Ret. cbn [of_champion found]. lra. }
    destruct Hm as (Hc & order & -> & HL & HI). cbn [fst snd found of_champion].
    unfold obind at 1. eapply Rle_trans; [apply until_bind, P01|].
    set (stage := own_stage N 0 self_plays (fun _ => F) s l c (against c order)).
    pose proof (stage_next P N s w Delta HC HN F l c order Hl Hc HL HI) as Next. fold stage in Next.
    set (V := fun (o : option (cells * option arm)) => match o with Some (l', _) => worths l' | None => fun _ => 0 end).
    assert (Later : expect P stage (fun a => regret_until P rg T match a with
        | Some (_, Some i) => Ret (Some i)
        | Some (mem', None) => stages find (own_stage N 0 self_plays (fun _ => F)) n (S s) mem'
        | None => Ret None
        end) <= expect P stage (fun o => (if o then 1 else 0) * price n (S s) (V o))).
    { eapply (E_mono_leaves P P01); [exact Next|]. intros [[l' a]|] Ho; [|rewrite until_Ret; lra].
      destruct Ho as (-> & Hl' & _). rewrite Rmult_1_l. cbn [V]. now apply IH. }
    apply Rplus_le_compat.
    + destruct (Nat.eqb_spec c w) as [->|Ne].
      * now apply won_cost.
      * pose proof (scale_pos s). pose proof (rate_nonneg s) as R0. pose proof (worth_nonneg s w (lookup c l) (Hl c)) as W0.
        pose proof M_pos. unfold worths. destruct (Nat.eqb_spec c w); [contradiction|].
        eapply Rle_trans; [apply (stage_cost P N s w Delta HC F l c order rg T (36 * scale s)
          (INR (bud N s (visits (lookup c l)) omega_own 0) + wrong_rate N s * worth w (lookup c l)))|].
        -- lra.
        -- eapply Rle_trans; [apply until_le_ET, P01|]. eapply Rle_trans; [apply ET_le_max, P01|apply screen_duels].
        -- assert (0 <= wrong_rate N s * worth w (lookup c l)) by positive.
           pose proof (pos_INR (bud N s (visits (lookup c l)) omega_own 0)). lra.
        -- now apply (wrong_rounds P N s w Delta HC HD HN).
        -- pose proof (first_budget N s HN (lookup c l) (Hl c)) as B1. fold M in B1.
           assert (36 * scale s <= 36 * (M * scale s)) by nra. unfold lost. lra.
    + eapply Rle_trans; [exact Later|]. destruct (Nat.eqb_spec c w) as [->|Ne].
      * apply Rle_trans with (expect P stage (fun o => B * if o then 1 else 0)).
        -- eapply (E_mono_leaves P P01); [exact Next|]. intros [[l' a]|] Ho; [|lra].
           destruct Ho as (_ & _ & Same). rewrite Rmult_1_l, Rmult_1_r. cbn [V]. apply price_mono. intros i Hi. unfold worths.
           rewrite Same by exact Hi. lra.
        -- rewrite E_scal. apply Rmult_le_compat_l; [exact B0|]. unfold q. destruct (Rle_dec (gap s) Delta) as [G|G].
           ++ eapply Rle_trans; [|apply (stage_goes_on P N s w Delta HC HN F l w order Hl Hc HL HI eq_refl G)].
              apply E_mono; [exact P01|]. intros [o|]; lra.
           ++ apply E_le; [exact P01|]. intros [o|]; lra.
      * rewrite Rmult_1_r. apply Rle_trans with (expect P stage (fun o => price n (S s) (V o))).
        -- eapply (E_mono_leaves P P01); [exact Next|]. intros [[l' a]|] Ho; cbn [V]; [lra|].
           pose proof (price_nonneg n (S s) (fun _ => 0) (fun _ => Rle_refl 0)). lra.
        -- rewrite price_expect. apply price_mono. intros i Hi. unfold worths. destruct (Nat.eqb_spec i w); [contradiction|].
           destruct (Nat.eq_dec i c) as [->|Nc].
           ++ eapply Rle_trans; [|apply (stage_worth P N s w Delta HC HD HN F l c order Hl Hc HL HI Ne)].
              apply E_mono; [exact P01|]. intros [[l' a]|]; cbn [V]; [|lra]. unfold worths.
              destruct (Nat.eqb_spec c w); [contradiction|lra].
           ++ eapply (E_le_leaves P P01); [exact Next|]. intros [[l' a]|] Ho; cbn [V]; [|now apply (worth_nonneg s)].
              destruct Ho as (_ & _ & Same). unfold worths. destruct (Nat.eqb_spec i w); [contradiction|].
              rewrite Same by exact Nc. lra.
  - rewrite E_plus, E_scal, (Rmult_comm (goes_on s)). apply Rplus_le_compat_l, Rmult_le_compat_l; [exact B0|].
    unfold goes_on, q. destruct (Rle_dec (gap s) Delta) as [G|G].
    + rewrite (E_ext P (find s) _ (fun o => 9/200 + 191/200 * (if found w o then 0 else 1)))
        by (intro o; destruct (found w o); lra).
      rewrite E_plus, E_const, E_scal, Pr_not. specialize (F_right s G). lra.
    + apply E_le; [exact P01|]. intro o. destruct (found w o); lra.
Qed.

(** In sum: (a_1, c_1) for every stage, (a_2, c_2) for one that tries at most the gap, (a_3, c_3) for at most half of it. *)
Variables a_1 c_1 a_2 c_2 a_3 c_3 : R.
Hypothesis coefficients : 0 <= a_1 /\ 0 <= c_1 /\ 0 <= a_2 /\ 0 <= c_2 /\ 0 <= a_3 /\ 0 <= c_3.
Let form (a z : R) (s : nat) : R := M * scale s * (a * ln (INR s + 3/2) + z).
Hypothesis early : forall s, C_find * M * scale s + Rmax (won s) (lost s + wrong_rate N s) <= form a_1 c_1 s.
Hypothesis late : forall s, gap s <= Delta ->
  C_find * M * scale s + won s + (lost s + wrong_rate N s) / 8 <= form a_2 c_2 s.
Hypothesis later : forall s, 2 * gap s <= Delta ->
  C_find * M * scale s + won s + (lost s + wrong_rate N s) / 8 <= form a_3 c_3 s.

Lemma form_nonneg a z s : 0 <= a -> 0 <= z -> 0 <= form a z s.
Proof. intros. unfold form. pose proof M_pos. pose proof (scale_pos s). pose proof (ln_stage_nonneg s). positive. Qed.
Lemma champion_cost s v : (forall i, 0 <= v i <= 1) ->
  let cost := C_find * M * scale s + expect P (find s) (of_champion s v) in
  cost <= form a_1 c_1 s /\ (gap s <= Delta -> cost <= form a_2 c_2 s) /\ (2 * gap s <= Delta -> cost <= form a_3 c_3 s).
Proof.
  intros Hv cost. pose proof (lost_nonneg s) as L0. pose proof (rate_nonneg s) as R0. pose proof (won_nonneg s) as W0.
  assert (Wrong : forall i, wrong_rate N s * v i <= wrong_rate N s).
  { intro i. specialize (Hv i). rewrite <- (Rmult_1_r (wrong_rate N s)) at 2. apply Rmult_le_compat_l; lra. }
  assert (U : gap s <= Delta -> cost <= C_find * M * scale s + won s + (lost s + wrong_rate N s) / 8).
  { intro G. unfold cost. rewrite Rplus_assoc. apply Rplus_le_compat_l.
    apply Rle_trans with (won s + 1/8 * (lost s + wrong_rate N s)); [|lra].
    apply (E_unless P P01 _ _ (found w) _ _ _ _ (leaves_true _)); [lra|specialize (F_right s G); lra|].
    intros [[c ps]|] _; cbn [of_champion found]; [|lra]. specialize (Wrong c). destruct (Nat.eqb c w); lra. }
  pose proof (gap_range s). split; [|split; intro G; (eapply Rle_trans; [apply U; lra|auto])].
  eapply Rle_trans; [|apply early]. apply Rplus_le_compat_l, E_le; [exact P01|].
  pose proof (Rmax_l (won s) (lost s + wrong_rate N s)). pose proof (Rmax_r (won s) (lost s + wrong_rate N s)).
  intros [[c ps]|]; cbn [of_champion]; [|lra]. specialize (Wrong c). destruct (Nat.eqb c w); lra.
Qed.

Variable s0 : nat.
Hypothesis Hs0 : gap s0 <= Delta.
Let then_on (a z : R) : nat -> R := form (a + 2 * a_3) (z + 2 * c_3 + 77/25 * a_3).
Let before_s0 (s : nat) : R := M * ((scale s0 - scale s) / 3) * (a_1 * ln (INR s0 + 3/2) + c_1).
Definition potential (s : nat) : R := if Nat.ltb s0 s then then_on a_3 c_3 s else then_on a_2 c_2 s0 + before_s0 s.

Lemma then_on_step a z s : form a z s + 1/6 * then_on a_3 c_3 (S s) <= then_on a z s.
Proof.
  destruct coefficients as (A1 & C1 & A2 & C2 & A3 & C3). unfold then_on, form. rewrite scale_S.
  pose proof (scale_pos s). pose proof M_pos.
  pose proof (ln_stage_S s) as L. apply (Rmult_le_compat_l (2 * a_3)) in L; [|lra].
  assert (0 <= M * scale s) as Q by positive.
  apply Rle_trans with (M * scale s * (a * ln (INR s + 3/2) + z +
    2/3 * ((a_3 + 2 * a_3) * ln (INR (S s) + 3/2) + (c_3 + 2 * c_3 + 77/25 * a_3)))).
  - right. field.
  - apply Rmult_le_compat_l; [exact Q|]. lra.
Qed.

Lemma price_bound v : (forall i, 0 <= v i <= 1) -> forall n s, price n s v <= potential s.
Proof.
  intro Hv. destruct coefficients as (A1 & C1 & A2 & C2 & A3 & C3).
  assert (Pos : forall a z s, 0 <= a -> 0 <= z -> 0 <= then_on a z s) by (intros; apply form_nonneg; lra).
  pose proof M_pos as M1. pose proof (ln_stage_nonneg s0) as L0.
  assert (Bef : forall s, (s <= s0)%nat -> 0 <= before_s0 s).
  { intros s H. apply scale_le in H. unfold before_s0. positive. }
  induction n as [|n IH]; intro s; cbn [price].
  - unfold potential. destruct (Nat.ltb_spec s0 s) as [H|H]; [now apply Pos|]. specialize (Bef s H).
    specialize (Pos a_2 c_2 s0 A2 C2). lra.
  - destruct (champion_cost s v Hv) as (Early & Late & Later). specialize (IH (S s)). pose proof (goes_on_range s) as Go.
    assert (0 <= price n (S s) v) as P0 by (apply price_nonneg; intro; apply Hv).
    destruct (Nat.lt_ge_cases s s0) as [H|H].
    + assert (goes_on s * price n (S s) v <= potential (S s)) as Q.
      { apply Rle_trans with (1 * price n (S s) v); [apply Rmult_le_compat_r; lra|lra]. }
      eapply Rle_trans; [apply Rplus_le_compat; [exact Early|exact Q]|]. unfold potential.
      destruct (Nat.ltb_spec s0 s); [lia|]. destruct (Nat.ltb_spec s0 (S s)); [lia|].
      assert (form a_1 c_1 s <= M * scale s * (a_1 * ln (INR s0 + 3/2) + c_1)) as U.
      { unfold form. pose proof (scale_pos s). apply Rmult_le_compat_l; [positive|].
        apply Rplus_le_compat_r, Rmult_le_compat_l; [lra|]. apply ln_stage_mono. lia. }
      unfold before_s0. rewrite scale_S. lra.
    + pose proof (gap_le s0 s H) as G. unfold goes_on in *. destruct (Rle_dec (gap s) Delta); [|lra].
      assert (potential (S s) = then_on a_3 c_3 (S s)) as E
        by (unfold potential; destruct (Nat.ltb_spec s0 (S s)); [auto|lia]).
      rewrite E in IH. apply (Rmult_le_compat_l (1/6)) in IH; [|lra]. unfold potential.
      destruct (Nat.ltb_spec s0 s) as [H'|H'].
      * assert (2 * gap s <= Delta) as G2 by (pose proof (gap_le (S s0) s H') as G'; rewrite gap_S in G'; lra).
        eapply Rle_trans; [apply Rplus_le_compat; [exact (Later G2)|exact IH]|]. apply then_on_step.
      * replace s with s0 in * by lia. pose proof (then_on_step a_2 c_2 s0) as St. specialize (Late Hs0).
        unfold before_s0. lra.
Qed.
End Search.

(** ** Rounds are played *)

Lemma uncut_map {A B} (g : option A -> option B) T : (forall o, ran_out (g o) = ran_out o) ->
  forall m : prog (option A), uncut T (bind m (fun o => Ret (g o))) = uncut T m.
Proof.
  intro H. induction T as [|T IH]; intro m; [destruct m, o || destruct m; reflexivity|].
  destruct m as [o|t u v k]; cbn [bind uncut]; [now rewrite H|]. now rewrite !IH.
Qed.

Section Played.
Variable P : arm -> arm -> R.
Variables (N : nat) (w : arm) (Delta : R).
Hypothesis HC : condorcet P N w Delta.
Hypothesis HN : (2 <= N)%nat.
Variable find : nat -> prog (option (arm * list (arm * arm))).
Hypothesis Own : forall s, leaves (own_matches N) (find s).
Hypothesis Starts : forall s, starts (find s).
Let stage F := own_stage N 0 self_plays (fun _ => F).

Lemma stage_agree T F F' s l c pairs : (T <= F)%nat -> (T <= F')%nat -> agree T (stage F s l c pairs) (stage F' s l c pairs).
Proof.
  intros H H'. assert (V : forall l k, agree T (visit_own N 0 self_plays (fun _ => F) s l k c pairs)
    (visit_own N 0 self_plays (fun _ => F') s l k c pairs)).
  { intros l0 k. unfold visit_own, visit, champion_level. rewrite Rmult_0_l.
    repeat (apply agree_obind; [|intro; apply agree_refl]). now apply rounds_agree. }
  unfold stage, own_stage. destruct (position c l); [apply V|]. apply agree_bind; [apply agree_refl|]. intro o.
  destruct (certified o); [apply V|apply agree_refl].
Qed.
Lemma endless_agree T : forall F F' n n' s l, (T <= F)%nat -> (T <= F')%nat -> (T <= n)%nat -> (T <= n')%nat ->
  agree T (stages find (stage F) n s l) (stages find (stage F') n' s l).
Proof.
  induction T as [|T IH]; intros F F' [|n] [|n'] s l; intros; try lia; try exact Logic.I. cbn [stages].
  apply agree_obind_later; [apply Starts|apply agree_refl|]. intro cp. apply agree_obind; [apply stage_agree; lia|].
  intros [l' [i|]]; [apply agree_refl|]. apply IH; lia.
Qed.

Hypothesis Answers : forall s, leaves (fun o => ran_out o = false) (find s).
Lemma endless_plays T : forall F n s l, (T <= F)%nat -> (T <= n)%nat -> (forall i, sane s (lookup i l)) ->
  plays T (stages find (stage F) n s l).
Proof.
  induction T as [|T IH]; intros F [|n] s l; intros HF Hn Hl; try lia; try exact Logic.I. cbn [stages].
  apply (plays_obind_later (own_matches N)); [apply Own|apply Starts|apply leaves_uncut, Answers|].
  intros [c ps] (Hc & order & -> & HL & HI). cbn [fst snd].
  apply (plays_obind (next s l c)); [apply (stage_next P N s w Delta HC HN F l c order Hl Hc HL HI)| |].
  - assert (V : forall l0 k, uncut T (visiting N s F l c order l0 k) = true).
    { intros l0 k. unfold visiting. rewrite uncut_map by (intros [y|]; reflexivity). apply rounds_uncut. lia. }
    destruct (stage_is N s F l c order) as (l0 & k & _ & _ & [E|E]); fold (stage F) in E; rewrite E; [apply V|].
    apply uncut_bind'. intro o. destruct (certified o); [apply V|destruct T; reflexivity].
  - intros [l' a] (-> & Hl' & _). apply IH; auto; lia.
Qed.
End Played.

(** ** The bounds *)

Section Bounds.
Variable P : arm -> arm -> R.
Variables (N : nat) (w : arm) (Delta : R).
Hypothesis HC : condorcet P N w Delta.
Hypothesis HD : 0 < Delta <= 1/2.
Hypothesis HN : (2 <= N)%nat.
Let P01 := c_01 _ _ _ _ HC.
Let M := INR (N - 1).
Variable find : nat -> prog (option (arm * list (arm * arm))).
Hypothesis Finds : finds (own_matches N) P N w Delta find.

Lemma ln_asked_0 : 4 * (693/1000) <= ln (asked 0) <= 4 * (347/500).
Proof. rewrite ln_asked. cbn [Nat.add Nat.pow Nat.mul]. simpl (INR 4). pose proof ln2_le. pose proof ln2_ge. lra. Qed.

(** Of the stages' bounds, in units of (N-1)/Delta^2. *)
Lemma regret_bound rg T won n a_1 c_1 a_2 c_2 a_3 c_3 x :
  (forall s, 0 <= won s) ->
  (forall F s l order, (forall i, sane s (lookup i l)) -> length order = (N - 1)%nat ->
    (forall j, In j order <-> (j < N)%nat /\ j <> w) ->
    regret_until P rg T (own_stage N 0 self_plays (fun _ => F) s l w (against w order)) <= M * scale s * won s) ->
  0 <= a_1 /\ 0 <= c_1 /\ 0 <= a_2 /\ 0 <= c_2 /\ 0 <= a_3 /\ 0 <= c_3 ->
  (forall s, let l := ln (INR s + 3/2) in
    Rmax (won s) (4 * l + 57383/1000) + 241/100 <= a_1 * l + c_1 /\
    (gap s <= Delta -> won s + l / 2 + 9583/1000 <= a_2 * l + c_2) /\
    (2 * gap s <= Delta -> won s + l / 2 + 9583/1000 <= a_3 * l + c_3)) ->
  4 * ((a_2 + 2 * a_3 + a_1 / 3) * (ln (ln (/ Delta) + 1) + 368/1000) + (c_2 + 2 * c_3 + 77/25 * a_3 + c_1 / 3)) <= x ->
  regret_until P rg T (endless find N n) <= M / (Delta * Delta) * x.
Proof.
  intros W0 Cost Co Forms Hx. pose proof (M_pos N HN) as M1. fold M in M1. pose proof ln_asked_0 as LA.
  destruct (first_stage Delta ltac:(lra)) as (s0 & G0 & First). destruct (loglog Delta s0 HD First) as [Sc LL].
  assert (Unit : forall s, 0 < M * scale s) by (intro s; pose proof (scale_pos s); positive).
  assert (Lost : forall s, lost N s + wrong_rate N s <= M * scale s * (4 * ln (INR s + 3/2) + 57383/1000)).
  { intro s. unfold lost, wrong_rate. fold M. specialize (Unit s).
    replace (M * scale s * (4 * ln (INR s + 3/2) + 2 * ln (asked 0) + 5113/100) + 7/10 * (M * scale s))
      with (M * scale s * (4 * ln (INR s + 3/2) + 2 * ln (asked 0) + 5183/100)) by field.
    apply Rmult_le_compat_l; lra. }
  assert (W0' : forall s, 0 <= M * scale s * won s) by (intro s; specialize (Unit s); specialize (W0 s); positive).
  assert (Late : forall s a c, won s + ln (INR s + 3/2) / 2 + 9583/1000 <= a * ln (INR s + 3/2) + c ->
    C_find * M * scale s + M * scale s * won s + (lost N s + wrong_rate N s) / 8 <= M * scale s * (a * ln (INR s + 3/2) + c)).
  { intros s a c H. specialize (Lost s). specialize (Unit s). apply (Rmult_le_compat_l (M * scale s)) in H; [|lra].
    unfold C_find. lra. }
  unfold endless, search. eapply Rle_trans; [apply (stages_cost P N w Delta HC (proj1 HD) HN find Finds rg T
    (fun s => M * scale s * won s) W0' Cost n n 0 []); intro i; apply sane_empty|].
  eapply Rle_trans; [apply (price_bound P N w Delta HC (proj1 HD) HN find Finds (fun s => M * scale s * won s) W0'
    a_1 c_1 a_2 c_2 a_3 c_3 Co) with (s0 := s0); auto|].
  - intro s. cbv beta. fold M. destruct (Forms s) as [E _]. specialize (Lost s). specialize (Unit s).
    apply (Rmult_le_compat_l (M * scale s)) in E; [|lra].
    set (y := Rmax (won s) _) in *. unfold C_find.
    assert (Rmax (M * scale s * won s) (lost N s + wrong_rate N s) <= M * scale s * y); [|lra]. apply Rmax_lub.
    + apply Rmult_le_compat_l; [lra|apply Rmax_l].
    + eapply Rle_trans; [exact Lost|]. apply Rmult_le_compat_l; [lra|apply Rmax_r].
  - intros s G. cbv beta. fold M. apply Late, Forms, G.
  - intros s G. cbv beta. fold M. apply Late, Forms, G.
  - intro i. unfold worths. destruct (Nat.eqb i w); [lra|]. cbn. rewrite worth_empty. lra.
  - unfold potential. cbn [Nat.ltb Nat.leb]. fold M. pose proof (scale_pos s0) as S0. pose proof (scale_pos 0) as S00.
    pose proof (ln_stage_nonneg s0) as L0. set (l := ln (INR s0 + 3/2)) in *.
    set (a := a_2 + 2 * a_3 + a_1 / 3) in *. set (z := c_2 + 2 * c_3 + 77/25 * a_3 + c_1 / 3) in *.
    destruct Co as (A1 & C1 & A2 & C2 & A3 & C3). assert (0 <= a /\ 0 <= z) as [A0 Z0] by (unfold a, z; lra).
    assert (0 <= a_1 * l + c_1) as Q by positive.
    apply Rle_trans with (M * (scale s0 * (a * l + z))).
    { assert (0 <= M * (scale 0 / 3) * (a_1 * l + c_1)) by positive. unfold a, z. lra. }
    unfold Rdiv. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    apply Rle_trans with (4 / (Delta * Delta) * (a * l + z)).
    { apply Rmult_le_compat_r; [|exact Sc]. assert (0 <= a * l) by positive. lra. }
    apply (Rmult_le_compat_l a) in LL; [|exact A0]. assert (0 < / (Delta * Delta)) as I0 by positive.
    apply Rle_trans with (/ (Delta * Delta) * (4 * (a * l + z))); [right; field; lra|]. apply Rmult_le_compat_l; lra.
Qed.

(** The winner's screen is free of weak regret. *)
Lemma screen_free s order rg T : (forall j, In j order -> rg w j = false) ->
  regret_until P rg T (screen s (against w order)) <= 0.
Proof.
  intro Free. eapply Rle_trans; [apply regret_until_le, P01|]. unfold screen.
  eapply Rle_trans; [apply refines_ER; [exact P01|apply within_refines]|]. destruct order as [|j order]; [cbn; lra|].
  cbn [against map firstn certify]. unfold obind. rewrite ER_bind.
  rewrite (duels_free P rg w j) by (apply seqtest_duels || (apply Free; cbn; auto)). rewrite (E_ext _ _ _ (fun _ => 0)).
  - rewrite E_const. lra.
  - intros [y|]; [destruct (Nat.eqb y w)|]; reflexivity.
Qed.

Lemma weak_bound T n : regret_until P (weak_regretful w) T (endless find N n) <=
  M / (Delta * Delta) * (C_endless_weak_loglog * ln (ln (/ Delta) + 1) + C_endless_weak_arm).
Proof.
  pose proof (ln_inv_gap Delta HD) as LD.
  assert (0 <= ln (ln (/ Delta) + 1)) by (rewrite <- ln_1; apply ln_le; lra).
  apply (regret_bound _ T (fun _ => 0) n 4 (5980/100) (1/2) (959/100) (1/2) (959/100)); try lra.
  - intro. lra.
  - intros F s l order Hl HL HI. rewrite Rmult_0_r.
    assert (Free : forall j, weak_regretful w w j = false) by (intro j; apply regretful_spec; auto).
    eapply Rle_trans; [apply (stage_cost P N s w Delta HC F l w order _ _ 0 0); try lra; [apply screen_free; auto|]|lra].
    apply (free_rounds P N s w Delta HC HN (lookup w l) w order (Hl w)); auto. apply (c_in _ _ _ _ HC).
  - intros s l. pose proof (ln_stage_nonneg s). fold l in H0. rewrite Rmax_right by lra. repeat split; intros; lra.
  - unfold C_endless_weak_loglog, C_endless_weak_arm. lra.
Qed.

(** The last round that has begun within [T] rounds. *)
Lemma last_begun T : exists R, begun T R /\ forall r, begun T r -> (r <= R)%nat.
Proof.
  assert (K : forall n, exists R, begun T R /\ forall r, (r <= n)%nat -> begun T r -> (r <= R)%nat).
  { induction n as [|n (R & B & H)]; [exists 0%nat; split; [now left|intros; lia]|].
    destruct (Nat.lt_ge_cases (self_plays n) T) as [L|L].
    - exists (S n). split; [now right|auto].
    - exists R. split; [exact B|]. intros r Hr Br. destruct (Nat.eq_dec r (S n)) as [->|]; [|apply H; auto; lia].
      destruct Br as [|Br]; [discriminate|]. cbn [pred] in Br. lia. }
  destruct (K T) as (R & B & H). exists R. split; [exact B|]. intros r Br. apply H; [|exact Br].
  destruct Br as [->|Br]; [lia|]. destruct r as [|r]; [lia|]. cbn [pred] in Br.
  assert (r < self_plays r)%nat; [|lia]. unfold self_plays. pose proof (rounds_exponent r).
  eapply Nat.lt_le_trans; [apply (Nat.pow_gt_lin_r 2 r); lia|]. apply Nat.pow_le_mono_r; lia.
Qed.
Lemma last_asked T R : (2 <= T)%nat -> begun T R -> let L := 2 * (ln (INR T + 1) + 2 * ln (ln (INR T + 2) + 1)) in
  ln (asked R) <= L /\ ln (asked 0) <= L.
Proof.
  intros HT B L. pose proof ln2_ge as L2. pose proof ln2_le as L2'. pose proof ln_asked_0 as LA. apply (le_INR 2) in HT.
  simpl (INR 2) in HT.
  assert (ln 2 <= ln (INR T + 1)) as L3 by (apply ln_le; lra).
  assert (2 * ln 2 <= ln (INR T + 2)) as L4.
  { replace (2 * ln 2) with (ln (2 * 2)) by (rewrite ln_mult; lra). apply ln_le; lra. }
  assert (ln 2 <= ln (ln (INR T + 2) + 1)) as L5 by (apply ln_le; lra).
  assert (ln (asked 0) <= L) as Q by (unfold L; lra). split; [|exact Q].
  destruct B as [->|B]; [exact Q|]. destruct R as [|q]; [exact Q|]. cbn [pred] in B. apply lt_INR in B.
  rewrite ln_asked. set (e := (2 ^ (q + 2))%nat). assert (2 * q <= e)%nat as E by (unfold e; pose proof (rounds_exponent q); lia).
  assert (ln (INR (self_plays q)) = (INR e - 2 * INR q) * ln 2) as LS.
  { unfold self_plays. fold e. rewrite pow_INR, ln_pow, minus_INR, mult_INR by (simpl; lra || lia). simpl (INR 2).
    replace (1 + 1) with 2 by ring. reflexivity. }
  assert (INR (2 ^ (S q + 2)) = 2 * INR e) as -> by (unfold e; cbn [Nat.add]; rewrite <- (mult_INR 2); f_equal; cbn; lia).
  pose proof (self_plays_pos q) as SP. apply (le_INR 1) in SP. simpl (INR 1) in SP.
  assert ((INR e - 2 * INR q) * ln 2 <= ln (INR T + 1)) as U by (rewrite <- LS; apply ln_le; lra).
  assert (INR q * ln 2 <= ln (ln (INR T + 2) + 1)) as V; [|unfold L; lra].
  rewrite <- ln_pow by lra. apply ln_le; [positive|].
  assert (2 * 2 ^ q + 2 <= INR e - 2 * INR q) as W.
  { unfold e. rewrite pow_INR, pow_add. simpl (INR 2). replace (1 + 1) with 2 by ring. clear. induction q as [|q IH].
    - simpl. lra.
    - rewrite S_INR. cbn [pow] in *. pose proof (pow_R1_Rle 2 q ltac:(lra)). lra. }
  assert (ln (INR T + 1) <= ln (INR T + 2)) by (apply ln_le; lra). pose proof (pow_R1_Rle 2 q ltac:(lra)).
  apply (Rmult_le_compat_r (ln 2)) in W; [|lra].
  assert (2 ^ q * 1 <= 2 ^ q * (2 * ln 2)) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma strong_bound T n : (2 <= T)%nat -> regret_until P (strong_regretful w) T (endless find N n) <=
  M / (Delta * Delta) * (C_endless_strong * (ln (INR T + 1) + 2 * ln (ln (INR T + 2) + 1)) +
    C_endless_strong_loglog * ln (ln (/ Delta) + 1) + C_endless_strong_arm).
Proof.
  intro HT. destruct (last_begun T) as (R & Begun & Last). destruct (last_asked T R HT Begun) as [LR L0].
  set (L := 2 * (ln (INR T + 1) + 2 * ln (ln (INR T + 2) + 1))) in *. pose proof ln_asked_0 as LA.
  set (lam := fun s => 2 * ln (INR s + 3/2) + 278/100 + L). pose proof (M_pos N HN) as M1. fold M in M1.
  assert (Lam : forall s, 0 <= ln (INR s + 3/2) /\ 0 <= lam s).
  { intro s. pose proof (ln_stage_nonneg s). unfold lam. lra. }
  assert (Free : strong_regretful w w w = false) by (apply regretful_spec; auto).
  set (won := fun s => if Rle_dec (2 * gap s) Delta then 3123/1000 + lam s / 6
    else if Rle_dec (gap s) Delta then 3123/1000 + lam s / 2 else 45 + 9/16 + 2 * lam s).
  apply (regret_bound _ T won n 4 (5425/100 + 2 * L) (3/2) (1410/100 + L / 2) (5/6) (1317/100 + L / 6)); try lra.
  - intro s. unfold won. specialize (Lam s). destruct (Rle_dec _ _); [|destruct (Rle_dec _ _)]; lra.
  - intros F s l order Hl HL HI. pose proof (scale_pos s) as S0. pose proof (gap_range s) as Hg.
    assert (64/9 <= M * scale s) as U by nra. set (x := lookup w l). pose proof (s_visits _ _ (Hl w)) as Hm. fold x in Hm.
    assert (logs_asked (visits x) R <= lam s) as LL.
    { rewrite (logs_asked_is s _ Hm). pose proof (proj2 (share_range s _ Hm)). unfold lam. lra. }
    assert (0 <= logs_asked (visits x) R) as L1.
    { pose proof (logs_asked_ge s _ Hm R). pose proof (asked_pos R). pose proof (ln_pos (asked R)). lra. }
    assert (Timed : forall rate, 0 < rate -> gap s <= Delta -> (forall p, 1/2 + Delta <= p <= 1 ->
        rate * (gap s * gap s) <= p * ln (1 + 2 * gap s) + (1 - p) * ln (1 - 2 * gap s)) ->
      regret_until P (strong_regretful w) T (own_stage N 0 self_plays (fun _ => F) s l w (against w order)) <=
        M * scale s * (3123/1000 + lam s / rate)).
    { intros rate Hr G Rate.
      eapply Rle_trans; [apply (stage_cost P N s w Delta HC F l w order (strong_regretful w) T (3123/1000 * scale s)
        (M * logs_asked (visits x) R / rate * scale s))|].
      - lra.
      - eapply Rle_trans; [apply until_le_ET, P01|]. now apply (screen_right P N s w Delta HC w order HI).
      - positive.
      - apply (timed_rounds P N s w Delta HC HN x w order (Hl w) (c_in _ _ _ _ HC) HL HI); auto.
        intros j Hj. apply Rate. apply HI in Hj. split; [now apply (c_win _ _ _ _ HC)|apply P01].
      - apply (Rmult_le_compat_l (M * scale s / rate)) in LL; [|positive].
        replace (M * logs_asked (visits x) R / rate * scale s) with (M * scale s / rate * logs_asked (visits x) R) by (field; lra).
        replace (M * scale s * (3123/1000 + lam s / rate)) with (3123/1000 * (M * scale s) + M * scale s / rate * lam s) by (field; lra).
        assert (3123/1000 * scale s <= 3123/1000 * (M * scale s)) by nra. lra. }
    unfold won. destruct (Rle_dec _ _) as [G|_]; [|destruct (Rle_dec _ _) as [G|_]].
    + apply Timed; [lra|lra|]. intros p Hp. apply RoundsCost.double_drift; lra.
    + apply Timed; [lra|exact G|]. intros p Hp. apply ln_L_drift; lra.
    + pose proof (proj2 (bud_range N s (visits x) HN Hm R)) as B. fold M in B.
      eapply Rle_trans; [apply (stage_cost P N s w Delta HC F l w order (strong_regretful w) T (36 * scale s)
        (INR (bud N s (visits x) omega_own R)))|].
      * lra.
      * eapply Rle_trans; [apply until_le_ET, P01|]. eapply Rle_trans; [apply ET_le_max, P01|apply screen_duels].
      * apply pos_INR.
      * now apply (capped_rounds P N s w Delta HC HN x w order (Hl w) (c_in _ _ _ _ HC) HL HI).
      * apply (Rmult_le_compat_l (2 * (M * scale s))) in LL; [|lra].
        assert (45 * scale s <= 45 * (M * scale s)) by nra. assert (4 * M <= 9/16 * (M * scale s)) by nra. lra.
  - intros s l. destruct (Lam s) as [P0 P1]. fold l in P0. unfold won, lam in *. fold l in P1 |- *.
    destruct (Rle_dec _ _); [|destruct (Rle_dec _ _)]; (split; [apply Rle_trans with (4 * l + (5184/100 + 2 * L) + 241/100);
      [apply Rplus_le_compat_r, Rmax_lub; lra|lra]|split; intro; lra]).
  - unfold C_endless_strong, C_endless_strong_loglog, C_endless_strong_arm, L. lra.
Qed.
End Bounds.

Theorem endless_weak : endless_weak_statement.
Proof.
  intros P N w Delta find HC HD HN Finds Answers bound. pose proof (c_01 _ _ _ _ HC) as P01.
  assert (B : forall T n, regret_until P (weak_regretful w) T (endless find N n) <= bound)
    by (intros; now apply weak_bound).
  assert (Ag : forall T n n', (T <= n)%nat -> (T <= n')%nat -> agree T (endless find N n) (endless find N n'))
    by (intros; apply endless_agree; auto; apply Finds).
  assert (B' : forall n, expected_regret P (weak_regretful w) (endless find N n) <= bound).
  { intro n. rewrite <- (until_all P _ (endless find N n) _ (le_n _)). apply B. }
  split; [split; [exact B'|]; split; [exact Ag|]; split; [|split]|].
  - intros T n Hn. apply (endless_plays P N w Delta HC HN find); auto; try apply Finds. intro i. apply sane_empty.
  - apply (regret_limit P (weak_regretful w) _ (endless find N)); auto.
  - intros T n. eapply Rle_trans; [apply regret_markov; auto|]. apply (B T T).
  - pose proof (ln_inv_gap Delta HD) as LD. set (x := ln (/ Delta) + 1) in *. assert (0 < x) by (unfold x; lra).
    pose proof (ln_tangent x 2 H ltac:(lra)) as T. pose proof ln2_le. unfold bound, C_endless_weak. fold x.
    replace (126 * INR (N - 1) / (Delta * Delta) * x) with (INR (N - 1) / (Delta * Delta) * (126 * x)) by (field; lra).
    pose proof (pos_INR (N - 1)). assert (0 < Delta * Delta) by nra.
    apply Rmult_le_compat_l; [positive|]. unfold C_endless_weak_loglog, C_endless_weak_arm. unfold x in *. lra.
Qed.

Theorem endless_strong : endless_strong_statement.
Proof.
  intros P N w Delta find T HC HD HN Finds Answers HT. split; [intro; now apply strong_bound|]. split.
  - intros n n' H H'. apply endless_agree; auto; apply Finds.
  - intros n Hn. apply (endless_plays P N w Delta HC HN find); auto; try apply Finds. intro i. apply sane_empty.
Qed.

(** What is impossible with fair coins is so on every path. *)
Lemma never_leaves {A} (m : prog A) ev : Pr (fun _ _ => 1/2) m ev = 0 -> leaves (fun a => ev a = false) m.
Proof.
  unfold Pr. induction m as [a|t u v k IH]; cbn [expect leaves]; [destruct (ev a); [lra|auto]|].
  pose proof (fun b => Pr_nonneg (fun _ _ => 1/2) ltac:(intros; lra) (k b) ev) as Q. unfold Pr in Q.
  pose proof (Q true). pose proof (Q false). split; apply IH; lra.
Qed.

Theorem endless_knockout : endless_knockout_statement.
Proof.
  intros cv P N w Delta HC HD HN run. pose proof (proj1 (knockout_finds cv P N w Delta HC HN)) as Finds.
  assert (Answers : forall s, leaves (fun o => ran_out o = false) (knockout its_own N s)).
  { intro s. apply never_leaves, knockout_answers; [exact HN|intros; lra]. }
  split; [now apply endless_weak|]. intros T HT. now apply endless_strong.
Qed.
