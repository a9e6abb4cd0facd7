(** * certify and find-then-certify as they are executed (not in the paper)

    Evidence is compared with rational levels in integers, and budgets come from enclosed logarithms.  With them the
    definitions of the theorems are run along given replies: the knockout's matches are asked for as a whole, with
    the gap that they are told; all else goes duel by duel.  What is run is what the theorems speak of, every whole
    match played by the truncated SprtTest ([play_find_then_certify], [runs_certify]); only where enclosures do not
    tell a budget it stops without an answer. *)
From Coq Require Import FunctionalExtensionality Reals Lra Psatz Lia ZArith NArith QArith Qreals List Bool Arith.
Import ListNotations.
From TGITE Require Import Setting Algorithms Program DuelTest BudgetedDuelTest Trees Limits MixtureTest SprtTest.
From TGITE Require Import Logarithms ExecutedTests ExecutedBeyond Executed Paths.
From TGITE Require Import Likelihood Certificate CertifyAlone Rounds Knockout RoundsStages RoundsCost.
Open Scope nat_scope.

(** ** The rules, in integers *)

Definition L_at_least (g d : Q) (n s : nat) : bool :=
  L_reaches (Qnum g) (Zpos (Qden g)) (Qnum d) (Zpos (Qden d)) (s + (n - s)) s.
Definition L_at_most (g e : Q) (n s : nat) : bool :=
  L_sinks (Qnum g) (Zpos (Qden g)) (Qnum e) (Zpos (Qden e)) (s + (n - s)) s.
Definition W_at_least (d : Q) (n s : nat) : bool :=
  let (term, total) := binomials s (Z.of_nat n + 1) 0 1 1 in (s <=? n) &&
  (Zpos (Qden d) * (term * (Z.of_nat n + 1 - Z.of_nat s)) <=? Qnum d * total)%Z.

Definition gap_at (s : nat) : Q := Qmake 3 (Z.to_pos (2 ^ Z.of_nat (s + 3))).
Definition half_of (d : Q) : Q := Qmake (Qnum d) (2 * Qden d).
Definition loss_at (N : nat) : Q := Qmake 1 (Z.to_pos ((2 * Z.of_nat N) ^ 6)).

Definition screen_rule_at (s n x : nat) : option bool :=
  if L_at_least (gap_at s) (1 # 256) n x then Some true
  else if L_at_most (gap_at s) (1 # 32) n x then Some false else None.
Definition evidence_rule_at (d a : Q) (n s : nat) : option bool :=
  if W_at_least d n s then Some true else if W_at_least a n (n - s) then Some false else None.
Definition margin_rule_at (m d a : Q) (n s : nat) : option bool :=
  match evidence_rule_at (half_of d) (half_of a) n s with
  | Some b => Some b
  | None => if L_at_most m (half_of a) n s && L_at_most m (half_of d) n (n - s) then Some true else None
  end.

(** ** Levels, weights and budgets *)

Definition part_at (k : nat) : Q := Qmake 4 (Pos.of_nat ((4 * k + 1) * (4 * k + 5))).
Definition champion_level_at (delta : Q) (k : nat) : Q := Qmult delta (part_at k).
Definition share_at (omega : Q) (m : nat) : Q := Qmult (Qminus 1 omega) (part_at m).
Definition round_level_at (r : nat) : Q := Qmake 1 (2 ^ (2 ^ Pos.of_nat (r + 2))).
Definition is_last_at (a : Q) (r : nat) : bool := Qle_bool (round_level_at r) a.
Definition level_in_round_at (a : Q) (r : nat) : Q := if is_last_at a r then a else round_level_at r.
Definition rounds_at (a : Q) : nat := S (Z.to_nat (Z.log2 (Z.log2 (Zpos (Qden a)) + 1))).

Definition units : constants := constants_at (2 ^ 64).
Definition rational_level (d : Q) : exact := {| rational := d; basel := 0 |}.
Definition enclosed_budget (s : nat) (d : Q) : option nat :=
  if admitted (rational_level d) then budget_from 2 units (gap_at s) (rational_level d) else None.
Definition duels_at (s : nat) (d : Q) : nat := match enclosed_budget s d with Some b => b | None => O end.
(** That enclosures tell all of them that a stage may need, and that there are no more rounds. *)
Definition budgets_known (s m : nat) (omega a : Q) (r : nat) : bool :=
  let d := level_in_round_at a r in
  negb (ran_out (enclosed_budget s (Qmult (share_at omega m) d))) && negb (ran_out (enclosed_budget (pred s) d)).
Definition decided (s m : nat) (omega a : Q) : bool :=
  is_last_at a (pred (rounds_at a)) && forallb (budgets_known s m omega a) (seq 0 (rounds_at a)).

(** ** What is run *)

(** A whole match of the knockout, which is told a gap; or one duel. *)
Inductive tried := Told (g : Q) (l : exact) | Once.
Definition ask_told (g : Q) (l : exact) (u v : arm) : program tried (option arm) :=
  Ask (Told g l) u v (fun b => Ret (Some (if b then u else v))).
Fixpoint by_duels {A} (m : prog A) : program tried A :=
  match m with Ret a => Ret a | Ask _ u v k => Ask Once u v (fun b => by_duels (k b)) end.

Section Certificate.
Variables (N s m : nat) (omega a : Q) (c : arm).
Definition enough_at (d : Q) (j : arm) (x : state) : bool :=
  W_at_least (Qmult omega d) (fst (all x j)) (snd (all x j)) ||
  L_at_least (gap_at s) (Qmult (share_at omega m) d) (fst (now x j)) (snd (now x j)).
Definition beaten_at (j : arm) (x : state) : bool :=
  L_at_most (gap_at s) (loss_at N) (fst (own x j)) (snd (own x j)).
Definition hopeless_at (j : arm) (x : state) : bool :=
  L_at_most (gap_at (pred s)) (1 # 8) (fst (others j x)) (snd (others j x)).
Definition own_match_at (d : Q) (j : arm) (x : state) : prog (option bool * state) :=
  let budget := 4 * (N - 1) * duels_at s (Qmult (share_at omega m) d) + 4 ^ (s + 3) in
  go_on (enough_at d j) (beaten_at j) (dueled j) c j (budget - spent x) x.
Definition bold_match_at (d : Q) (u j : arm) (x : state) : prog (option bool * state) :=
  go_on (enough_at d j) (hopeless_at j) (exposed j) u j (duels_at (pred s) d - fst (others j x)) x.
Definition one_arm_at (r : nat) (u j : arm) (x : state) : prog (option bool * state) :=
  let d := level_in_round_at a r in
  if out x j then Ret (Some true, x) else
  bind (bind (if Nat.eqb u c then Ret (None, x) else bold_match_at d u j x)
             (fun o => match o with (Some true, y) => Ret (Some true, y) | (_, y) => own_match_at d j y end))
       (fun o => match o with
         | (Some true, y) => Ret (Some true, if is_last_at a r then throw_out j y else y)
         | _ => Ret o
         end).
Fixpoint one_round_at (r : nat) (pairs : list (arm * arm)) (x : state) : prog (bool * state) :=
  match pairs with
  | [] => Ret (true, x)
  | (u, j) :: rest => bind (one_arm_at r u j x) (fun o => match o with
      | (Some true, y) => one_round_at r rest y
      | (_, y) => Ret (false, y)
      end)
  end.
Fixpoint run_rounds (F r : nat) (pairs : list (arm * arm)) (x : state) : prog (option state) :=
  match F with
  | O => Ret None
  | S F' => bind (one_round_at r pairs x) (fun o => match o with
      | (true, y) => if is_last_at a r then Ret (Some y) else run_rounds F' (S r) pairs y
      | (false, y) => Ret (Some y)
      end)
  end.
End Certificate.

(** [None]: undecided. *)
Definition visit_at (N : nat) (omega a : Q) (s : nat) (c : arm) (pairs : list (arm * arm)) (x : cell)
    : prog (option cell) :=
  if decided s (visits x) omega a
  then obind (run_rounds N s (visits x) omega a c (rounds_at a) 0 pairs (opened x)) (fun y =>
         Ret (Some (closed (S (visits x)) y)))
  else Ret None.
Definition screen_at (s : nat) (pairs : list (arm * arm)) : prog (option bool) :=
  let B := screen_budget s in within B (certify (seqtest (screen_rule_at s) never B 0 0) (firstn 1 pairs)).
Definition visit_own_at (N : nat) (delta : Q) (s : nat) (l : cells) (k : nat) (c : arm) (pairs : list (arm * arm))
    : prog (option (cells * option arm)) :=
  obind (visit_at N (1 # 2) (champion_level_at delta k) s c pairs (cell_at k l)) (fun x =>
    Ret (Some (put k x l, answer N c x))).
Definition own_stage_at (N : nat) (delta : Q) (s : nat) (l : cells) (c : arm) (pairs : list (arm * arm))
    : prog (option (cells * option arm)) :=
  match position c l with
  | Some k => visit_own_at N delta s l k c pairs
  | None => bind (screen_at s pairs) (fun o =>
      if certified o then visit_own_at N delta s (l ++ [(c, empty)]) (length l) c pairs else Ret (Some (l, None)))
  end.
Definition life_stage_at (N : nat) (delta : Q) (s : nat) (x : cell) (c : arm) (pairs : list (arm * arm))
    : prog (option (cell * option arm)) :=
  obind (visit_at N (9 # 10) delta s c pairs x) (fun x' => Ret (Some (x', answer N c x'))).

(** [None]: undecided; [Some None]: the stages did not suffice. *)
Fixpoint run_stages {M} (find : nat -> program tried (option (arm * list (arm * arm))))
    (stage : nat -> M -> arm -> list (arm * arm) -> prog (option (M * option arm))) (n s : nat) (mem : M)
    : program tried (option (option arm)) :=
  match n with
  | O => Ret (Some None)
  | S n' => obind (find s) (fun cp => obind (by_duels (stage s mem (fst cp) (snd cp))) (fun r => match r with
      | (_, Some i) => Ret (Some (Some i))
      | (mem', None) => run_stages find stage n' (S s) mem'
      end))
  end.
Definition run_find_then_certify {cv : conventions} (winner_exists : bool) (N : nat) (delta : Q) (n : nat)
    : program tried (option (option arm)) :=
  let find matches s := tournament (ask_told (gap_at s)) matches N in
  if winner_exists then run_stages (find suspects) (life_stage_at N delta) n 0 empty
  else run_stages (find its_own) (own_stage_at N delta) n 0 [].

(** With a margin or without. *)
Definition run_certify (margin : option Q) (d a : Q) (c : arm) (order : list arm) (budget : nat) : prog (option bool) :=
  let rule := match margin with None => evidence_rule_at d a | Some m => margin_rule_at m d a end in
  within budget (certify (seqtest rule never budget 0 0) (against c order)).

(** Every whole match played by the test of the theorems. *)
Fixpoint play_told {A} (m : program tried A) : prog A :=
  match m with
  | Ret a => Ret a
  | Ask (Told g l) u v k => bind (BDT truncated_sprt (Q2R g) (value l) u v) (fun o => play_told (k (is_arm u o)))
  | Ask Once u v k => Duel u v (fun b => play_told (k b))
  end.

Definition ended {A} (m : prog (option A)) : prog (option (option A)) := bind m (fun o => Ret (Some o)).
(** The same duels with the same answer, unless what is run is undecided. *)
Definition play_find_then_certify_statement : Prop := forall (cv : conventions) N delta n,
  (2 <= N)%nat -> (0 < Q2R delta < 1)%R ->
  refines (play_told (run_find_then_certify false N delta n))
    (ended (find_then_certify (knockout its_own N) N (Q2R delta) n)) /\
  refines (play_told (run_find_then_certify true N delta n))
    (ended (find_then_certify_winner (knockout suspects N) N (Q2R delta) n)).

Definition runs_certify_statement : Prop := forall m d a c order budget,
  run_certify None d a c order budget =
    within budget (certify (seqtest (evidence_rule (Q2R d) (Q2R a)) never budget 0 0) (against c order)) /\
  run_certify (Some m) d a c order budget =
    within budget (certify (seqtest (margin_rule (Q2R m) (Q2R d) (Q2R a)) never budget 0 0) (against c order)).

(** ** Following *)

Definition one_duel (u v : arm) (later : list event) : list event :=
  match later with
  | Dueled u' v' n :: later =>
      if (u =? u') && (v =? v') then Dueled u v (N.succ n) :: later else Dueled u v 1 :: Dueled u' v' n :: later
  | later => Dueled u v 1 :: later
  end.
(** [true]: the first arm wins the match, or the duel. *)
Fixpoint follow_stages (m : program tried (option (option arm))) (replies : list bool) : list event :=
  match m with
  | Ret None => []
  | Ret (Some o) => [Answered o]
  | Ask t u v k =>
      match replies with
      | [] => [Cut]
      | b :: replies => let later := follow_stages (k b) replies in
          match t with Told g l => Tried g :: Asked l u v :: later | Once => one_duel u v later end
      end
  end.
Definition follow_find_then_certify (ch : choices) (winner_exists : bool) (N : nat) (delta : Q) (n : nat)
    (replies : list bool) : list event :=
  follow_stages (run_find_then_certify (cv := chosen ch 0 0) winner_exists N delta n) replies.
(** Its answer: [Some 1] for certified, [Some 0] for lost. *)
Definition follow_certify (margin : option Q) (d a : Q) (c : arm) (order : list arm) (budget : nat)
    (replies : list bool) : list event :=
  follow_stages (by_duels (bind (run_certify margin d a c order budget) (fun o => Ret (Some (option_map Nat.b2n o)))))
    replies.

(** * Proofs *)

Open Scope R_scope.

(** ** The rules *)

Lemma L_right g d n s : L_at_least g d n s = reaches (likelihood (Q2R g)) (Q2R d) n s /\
  L_at_most g d n s = sinks (likelihood (Q2R g)) (Q2R d) n s.
Proof.
  set (n' := (s + (n - s))%nat). assert (likelihood (Q2R g) n s = likelihood (Q2R g) n' s) as E.
  { unfold likelihood, n'. now replace (s + (n - s) - s)%nat with (n - s)%nat by lia. }
  unfold reaches, sinks. rewrite E. split; symmetry; apply likelihood_in_integers; lia.
Qed.
Definition L_at_least_right g d n s := proj1 (L_right g d n s).
Definition L_at_most_right g d n s := proj2 (L_right g d n s).

Lemma W_at_least_right d n s : W_at_least d n s = reaches mixture (Q2R d) n s.
Proof.
  unfold W_at_least, reaches, mixture. destruct (Nat.leb_spec s n) as [Hs|Hs].
  - destruct (binomials_total n s Hs) as [-> ->]. pose proof (binom_INR n s Hs).
    pose proof (lt_0_INR (S n) ltac:(lia)). assert (0 < IZR (Zpos (Qden d))) by (now apply IZR_lt). symmetry.
    apply Rle_in_integers with (IZR (Zpos (Qden d)) * (INR (S n) * INR (binom n s))); [positive| |]; unfold Q2R;
      rewrite mult_IZR, <- INR_IZR_INZ, ?mult_INR; field; lra.
  - assert (forall n s, (n < s)%nat -> binom n s = 0%nat) as B.
    { induction n0 as [|k IH]; intros [|t] H; try lia; cbn [binom]; [reflexivity|]. now rewrite !IH by lia. }
    rewrite (B n s Hs). destruct (binomials _ _ _ _ _). rewrite Rmult_0_r. unfold Rdiv. rewrite Rinv_0, !Rmult_0_r.
    destruct (Rle_dec 1 0); [lra|reflexivity].
Qed.

Lemma Q2R_pos_den a b : (0 < b)%Z -> Q2R (Qmake a (Z.to_pos b)) = IZR a / IZR b.
Proof. intro H. unfold Q2R. cbn [Qnum Qden]. now rewrite Z2Pos.id. Qed.
Lemma gap_at_right s : Q2R (gap_at s) = gap s.
Proof. unfold gap_at. rewrite Q2R_pos_den by (apply Z.pow_pos_nonneg; lia). now rewrite <- pow_IZR. Qed.
Lemma half_of_right d : Q2R (half_of d) = Q2R d / 2.
Proof.
  unfold half_of, Q2R. cbn [Qnum Qden]. rewrite Pos2Z.inj_mul, mult_IZR.
  assert (0 < IZR (Zpos (Qden d))) by (now apply IZR_lt). field. lra.
Qed.
Lemma loss_at_right N : (1 <= N)%nat -> Q2R (loss_at N) = certificate_loss N.
Proof.
  intro HN. unfold loss_at. rewrite Q2R_pos_den by (apply Z.pow_pos_nonneg; lia). unfold certificate_loss.
  rewrite INR_IZR_INZ, Nat2Z.inj_pow, Nat2Z.inj_mul. unfold Rdiv. now rewrite Rmult_1_l.
Qed.
Lemma small_right (b : BinNums.positive) : Q2R (1 # b) = / IZR (Zpos b).
Proof. unfold Q2R. cbn [Qnum Qden]. ring. Qed.

Ltac in_reals := do 2 (apply functional_extensionality; intro);
  rewrite ?L_at_least_right, ?W_at_least_right, ?L_at_most_right, ?gap_at_right, ?half_of_right, ?small_right;
  reflexivity.
Lemma screen_rule_right s : screen_rule_at s = screen_rule (gap s).
Proof. unfold screen_rule_at, screen_rule. in_reals. Qed.
Lemma evidence_rule_right d a : evidence_rule_at d a = evidence_rule (Q2R d) (Q2R a).
Proof. unfold evidence_rule_at, evidence_rule. in_reals. Qed.
Lemma margin_rule_right m d a : margin_rule_at m d a = margin_rule (Q2R m) (Q2R d) (Q2R a).
Proof. unfold margin_rule_at, margin_rule, equivalent. rewrite evidence_rule_right. in_reals. Qed.

Theorem runs_certify : runs_certify_statement.
Proof. intros m d a c order budget. unfold run_certify. now rewrite evidence_rule_right, margin_rule_right. Qed.

(** ** Budgets *)

Lemma duels_at_right s d : ran_out (enclosed_budget s d) = false ->
  duels_at s d = bbudget truncated_sprt (gap s) (Q2R d).
Proof.
  unfold duels_at, enclosed_budget. destruct (admitted _) eqn:A; [|discriminate]. apply admitted_right in A.
  assert (value (rational_level d) = Q2R d) as V by (unfold value; cbn; ring).
  assert (made units) as Made by (apply made_at; discriminate).
  destruct (budget_from _ _ _ _) as [m|] eqn:E; [|discriminate].
  rewrite (budget_from_right 2 units (gap_at s) _ m ltac:(lia) Made (level_ok_of _ A) eq_refl E), V, gap_at_right.
  reflexivity.
Qed.

(** ** Levels *)

Lemma Q2R_one : Q2R 1 = 1.
Proof. unfold Q2R. cbn. field. Qed.
Lemma part_at_right k : Q2R (part_at k) = part k.
Proof.
  unfold part_at, part, Q2R. cbn [Qnum Qden]. rewrite pos_of_nat_real by lia.
  rewrite mult_INR, !plus_INR, mult_INR. simpl (INR 4). simpl (INR 1). simpl (INR 5). unfold Rdiv. do 2 f_equal. ring.
Qed.
Lemma champion_level_at_right delta k : Q2R (champion_level_at delta k) = champion_level (Q2R delta) k.
Proof. unfold champion_level_at, champion_level. now rewrite Q2R_mult, part_at_right. Qed.
Lemma share_at_right omega m : Q2R (share_at omega m) = share (Q2R omega) m.
Proof. unfold share_at, share. now rewrite Q2R_mult, Q2R_minus, Q2R_one, part_at_right. Qed.
Lemma round_level_at_right r : Q2R (round_level_at r) = / 2 ^ (2 ^ (r + 2)).
Proof.
  unfold round_level_at. rewrite small_right. f_equal. rewrite (pow_IZR 2). f_equal.
  rewrite !Pos2Z.inj_pow, Nat2Z.inj_pow. do 2 f_equal. now rewrite <- positive_nat_Z, Nat2Pos.id by lia.
Qed.
Lemma is_last_at_right a r : is_last_at a r = is_last (Q2R a) r.
Proof.
  unfold is_last_at, is_last. rewrite <- round_level_at_right. destruct (Rle_dec _ _) as [H|H].
  - now apply Qle_bool_iff, Rle_Qle.
  - apply not_true_iff_false. intro E. now apply H, Qle_Rle, Qle_bool_iff.
Qed.
Lemma level_in_round_at_right a r : Q2R (level_in_round_at a r) = level_in_round (Q2R a) r.
Proof.
  unfold level_in_round_at, level_in_round. rewrite is_last_at_right. unfold is_last. destruct (Rle_dec _ _) as [H|H].
  - symmetry. now apply Rmax_left.
  - rewrite round_level_at_right. symmetry. apply Rmax_right. lra.
Qed.
Lemma screen_at_right s pairs : screen_at s pairs = screen s pairs.
Proof. unfold screen_at. now rewrite screen_rule_right. Qed.

(** ** Rounds enough *)

Ltac pointwise := f_equal; apply functional_extensionality; intro.

Lemma rounds_enough N s m omega a pause c pairs : forall F F' r k x, is_last a (r + k) = true -> (k < F)%nat ->
  (k < F')%nat -> rounds N s m omega a pause c F r pairs x = rounds N s m omega a pause c F' r pairs x.
Proof.
  induction F as [|F IH]; intros [|F'] r k x La H H'; try lia. cbn [rounds]. pointwise. destruct x0 as [[|] y];
    [|reflexivity]. destruct (is_last a r) eqn:E; [reflexivity|]. f_equal.
  destruct k as [|k]; [rewrite Nat.add_0_r in La; congruence|]. apply IH with k; [|lia|lia].
  now rewrite Nat.add_succ_comm.
Qed.

(** ** A stage *)

Section Parts.
Variables (N s m : nat) (omega a : Q) (c : arm).
Hypothesis HN : (1 <= N)%nat.
Let none : nat -> nat := fun _ => 0%nat.

Lemma enough_at_right d j : enough_at s m omega d j = enough s m (Q2R omega) (Q2R d) j.
Proof.
  apply functional_extensionality. intro x. unfold enough_at, enough.
  now rewrite W_at_least_right, L_at_least_right, gap_at_right, !Q2R_mult, share_at_right.
Qed.
Lemma beaten_at_right j : beaten_at N s j = beaten N s j.
Proof.
  apply functional_extensionality. intro x. unfold beaten_at, beaten.
  now rewrite L_at_most_right, gap_at_right, loss_at_right.
Qed.
Lemma hopeless_at_right j : hopeless_at s j = hopeless s j.
Proof.
  apply functional_extensionality. intro x. unfold hopeless_at, hopeless.
  now rewrite L_at_most_right, gap_at_right, small_right.
Qed.

Lemma one_arm_same r u j x : budgets_known s m omega a r = true ->
  one_arm_at N s m omega a c r u j x = one_arm N s m (Q2R omega) (Q2R a) c r u j x.
Proof.
  intros [K K']%andb_true_iff. apply negb_true_iff, duels_at_right in K, K'.
  unfold one_arm_at, own_match_at, bold_match_at. cbv zeta. rewrite K, K', Q2R_mult, share_at_right.
  rewrite !enough_at_right, beaten_at_right, hopeless_at_right, is_last_at_right, level_in_round_at_right. reflexivity.
Qed.

Lemma one_round_same r pairs : budgets_known s m omega a r = true -> forall x,
  one_round_at N s m omega a c r pairs x = one_round N s m (Q2R omega) (Q2R a) c r pairs x.
Proof.
  intro K. induction pairs as [|[u j] pairs IH]; intro x; cbn [one_round_at one_round]; [reflexivity|].
  rewrite one_arm_same by exact K. pointwise. destruct x0 as [[[|]|] y]; auto.
Qed.

Lemma run_rounds_same F : forall r pairs x, (forall r', (r <= r' < r + F)%nat -> budgets_known s m omega a r' = true) ->
  run_rounds N s m omega a c F r pairs x = rounds N s m (Q2R omega) (Q2R a) none c F r pairs x.
Proof.
  induction F as [|F IH]; intros r pairs x K; [reflexivity|]. cbn [run_rounds rounds].
  rewrite one_round_same by (apply K; lia). pointwise. rewrite is_last_at_right. destruct x0 as [[|] y]; [|reflexivity].
  destruct (is_last _ _); [reflexivity|]. apply IH. intros r' H. apply K. lia.
Qed.
End Parts.

Lemma visit_refines N omega a s c pairs x : (1 <= N)%nat -> 0 < Q2R a ->
  refines (visit_at N omega a s c pairs x)
    (visit N (Q2R omega) (Q2R a) (fun _ => 0%nat) (enough_rounds (Q2R a)) s c pairs x).
Proof.
  intros HN Ha. unfold visit_at, visit. destruct (decided _ _ _ _) eqn:K; [|constructor].
  apply andb_true_iff in K. destruct K as [L1 K]. rewrite is_last_at_right in L1. rewrite forallb_forall in K.
  rewrite (run_rounds_same N s (visits x) omega a c HN); [|intros r Hr; apply K, in_seq; lia].
  destruct (last_round (Q2R a) Ha) as (k & [_ Hk] & L2). set (k' := pred (rounds_at a)) in *.
  rewrite rounds_enough with (F' := enough_rounds (Q2R a)) (k := Nat.min k' k);
    [apply refines_refl| |unfold k', rounds_at; lia|lia].
  destruct (Nat.min_spec k' k) as [[_ ->]|[_ ->]]; assumption.
Qed.

Lemma own_stage_refines N delta s l c pairs : (1 <= N)%nat -> 0 < Q2R delta ->
  refines (own_stage_at N delta s l c pairs) (own_stage N (Q2R delta) (fun _ => 0%nat) enough_rounds s l c pairs).
Proof.
  intros HN Hd. assert (forall k l, refines (visit_own_at N delta s l k c pairs)
    (visit_own N (Q2R delta) (fun _ => 0%nat) enough_rounds s l k c pairs)) as V.
  { intros k l'. unfold visit_own_at, visit_own. cbv zeta. rewrite <- champion_level_at_right.
    apply refines_obind; [|intro; apply refines_refl]. apply visit_refines; [exact HN|].
    rewrite champion_level_at_right. apply Rmult_lt_0_compat; [exact Hd|]. unfold part. pose proof (pos_INR k).
    positive. }
  unfold own_stage_at, own_stage. destruct (position c l) as [k|]; [apply V|]. rewrite screen_at_right.
  apply refines_bind. intro o. destruct (certified o); [apply V|apply refines_refl].
Qed.

Lemma life_stage_refines N delta s x c pairs : (1 <= N)%nat -> 0 < Q2R delta ->
  refines (life_stage_at N delta s x c pairs) (life_stage N (Q2R delta) s x c pairs).
Proof.
  intros HN Hd. apply refines_obind; [|intro; apply refines_refl]. now apply visit_refines.
Qed.

(** ** Playing *)

Lemma bind_assoc {T A B C} (m : program T A) (f : A -> program T B) (g : B -> program T C) :
  bind (bind m f) g = bind m (fun a => bind (f a) g).
Proof. induction m as [a|t u v k IH]; cbn [bind]; [reflexivity|]. pointwise. apply IH. Qed.

Lemma play_told_bind {A B} (m : program tried A) (f : A -> program tried B) :
  play_told (bind m f) = bind (play_told m) (fun a => play_told (f a)).
Proof.
  induction m as [a|[g l|] u v k IH]; cbn [bind play_told]; [reflexivity| |]; rewrite ?bind_assoc; pointwise; apply IH.
Qed.

Lemma play_by_duels {A} (m : prog A) : play_told (by_duels m) = m.
Proof. induction m as [a|[] u v k IH]; cbn [by_duels play_told]; [reflexivity|]. pointwise. apply IH. Qed.

Lemma bind_says {A B} (Q : A -> Prop) (m : prog A) (f f' : A -> prog B) :
  leaves Q m -> (forall a, Q a -> f a = f' a) -> bind m f = bind m f'.
Proof.
  intros HQ H. induction m as [a|t u v k IH]; cbn in *; auto. pointwise. apply IH. destruct x; tauto.
Qed.

Lemma BDT_says r g d u v : leaves (fun o => o = Some u \/ o = Some v) (BDT r g d u v).
Proof.
  eapply leaves_impl; [exact (leaves_and _ _ _ (BDT_leaves r g d u v) (BDT_always r g d u v))|].
  intros [x|] [A B]; [destruct A as [->| ->]; auto|discriminate].
Qed.

Lemma play_noting {A} g (m : program asked (option A)) : forall noted,
  play_told (noting (ask_told g) noted m) = noting (fun l => BDT truncated_sprt (Q2R g) (value l)) noted m.
Proof.
  induction m as [[a|]|[l|b] u v k IH]; intro noted; try reflexivity; [|apply IH]. eapply bind_says; [apply BDT_says|].
  intros o [->| ->]; cbn [is_arm]; rewrite ?Nat.eqb_refl; [apply IH|].
  destruct (Nat.eqb_spec v u) as [->|Ne]; [rewrite Nat.eqb_refl; apply IH|].
  destruct (Nat.eqb_spec v u); [congruence|apply IH].
Qed.

Lemma play_knockout {cv : conventions} matches N s :
  play_told (tournament (ask_told (gap_at s)) matches N) = knockout matches N s.
Proof. unfold knockout, tournament. rewrite play_told_bind, play_noting, gap_at_right. f_equal. Qed.

Lemma refines_ended {A B} (m m' : prog (option A)) (k : A -> prog (option (option B))) k' :
  refines m m' -> (forall a, refines (k a) (ended (k' a))) -> refines (obind m k) (ended (obind m' k')).
Proof.
  intros H K. induction H as [m|[a|]|]; cbn [bind]; try constructor; [apply K|assumption].
Qed.

Lemma play_obind {A B} (m : program tried (option A)) (k : A -> program tried (option B)) :
  play_told (obind m k) = obind (play_told m) (fun a => play_told (k a)).
Proof. unfold obind. rewrite play_told_bind. pointwise. now destruct x. Qed.

Lemma play_stages {M} find find' stage stage' : (forall s, play_told (find s) = find' s) ->
  (forall s (mem : M) c pairs, refines (stage s mem c pairs) (stage' s mem c pairs)) ->
  forall n s mem, refines (play_told (run_stages find stage n s mem)) (ended (stages find' stage' n s mem)).
Proof.
  intros HF HS. induction n as [|n IH]; intros s mem; cbn [run_stages stages]; [apply refines_refl|].
  rewrite play_obind, HF. apply refines_ended; [apply refines_refl|]. intros [c pairs].
  rewrite play_obind, play_by_duels. apply refines_ended; [apply HS|]. intros [mem' [i|]]; auto using refines_refl.
Qed.

Theorem play_find_then_certify : play_find_then_certify_statement.
Proof.
  intros cv N delta n HN Hd. split; apply play_stages; try (intro; apply play_knockout); intros s mem c pairs.
  - apply own_stage_refines; lra || lia.
  - apply life_stage_refines; lra || lia.
Qed.
