(** * The statements

    This is the last of the three files that a reader must check ([Setting], [Algorithms],
    [Statements]).

    _Here,_ throughout: each universal constant C is an explicit number.  Bounds have N - 1 where the
    paper has N, so they are no weaker.  A statement about DuelTest holds at every horizon F of the
    tests, and for the limit as F grows, which is the paper's test. ([is_lim_seq u x] says that the
    sequence u converges to x.) "With probability at least 1 - delta" is a statement about the
    limit; at a finite horizon the probability of a wrong answer is at most delta.  A level is
    called [d], or by the paper's name. *)
From Coq Require Import Reals List Bool Arith.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms.
Open Scope R_scope.

(** A number that depends on a horizon is at most [bound], at every horizon and in the limit. *)
Definition at_most (u : nat -> R) (bound : R) : Prop :=
  (forall F, u F <= bound) /\ exists x : R, is_lim_seq u x /\ x <= bound.

(** As the horizon grows, the run stops with probability 1, and returns [w] with probability at least
    [p]. *)
Definition returns_with (P : arm -> arm -> R) (w : arm) (run : nat -> prog (option arm)) (p : R) : Prop :=
  is_lim_seq (fun F => Pr P (run F) ran_out) 0 /\
  exists q : R, is_lim_seq (fun F => Pr P (run F) (is_arm w)) q /\ p <= q.

(** ** The confidence sequence *)

(** The probability that [ev] occurs within the next [k] duels, after [n] of which [s] were won. *)
Fixpoint hit (p : R) (ev : nat -> nat -> bool) (k n s : nat) : R :=
  match k with
  | O => 0
  | S k' => p * (if ev (S n) (S s) then 1 else hit p ev k' (S n) (S s))
          + (1 - p) * (if ev (S n) s then 1 else hit p ev k' (S n) s)
  end.

Definition deviates (p d : R) (n s : nat) : bool :=
  if Rle_dec (c_radius n d) (Rabs (INR s / INR n - p)) then true else false.

(** Of the paper: lem:app-anytime-cs.
    _Paper:_ Pr(exists n >= 1: |mean_n - p| >= c(n, delta)) <= delta.  _Here:_ for n up to every k, and in the limit. *)
Definition lem_app_anytime_cs_statement : Prop := forall p d, 0 <= p <= 1 -> 0 < d < 1 ->
  at_most (fun k => hit p (deviates p d) k 0 0) d.

(** ** DuelTest

    The theorems hold for every stopping rule that is [sound] and [prompt].  So the logarithm of the
    rule may differ from the paper's by up to 1/16, which leaves room for floating point. *)
Definition slack : R := 1/16.
Definition c_early (n : nat) (d : R) : R := sqrt ((log_term n d - slack) / (2 * INR n)).
Definition c_late (n : nat) (d : R) : R := sqrt ((log_term n d + slack) / (2 * INR n)).

(** The rule stops no earlier than the early radius, and then returns the arm that leads. *)
Definition sound (stop : rule) : Prop := forall d n s, 0 < d < 1 -> (0 < n)%nat ->
  (stop d n s = Some true -> c_early n d <= INR s / INR n - 1/2) /\
  (stop d n s = Some false -> c_early n d <= 1/2 - INR s / INR n).

(** The rule stops no later than the late radius. *)
Definition prompt (stop : rule) : Prop := forall d n s, 0 < d < 1 -> (0 < n)%nat ->
  stop d n s = None -> Rabs (INR s / INR n - 1/2) <= c_late n d.

(** The paper's rule is sound and prompt. *)
Definition paper_rule_admissible_statement : Prop := sound paper_rule /\ prompt paper_rule.

(** The better of two arms. *)
Definition better (P : arm -> arm -> R) (u v : arm) : arm := if Rlt_dec (1/2) (P u v) then u else v.

(** Of the paper: lem:app-dueltest-correct.
    _Paper:_ for p_uv <> 1/2 DuelTest returns the better arm with probability at least 1 - delta.
    _Here:_ it also ends with probability 1, and at every horizon a wrong answer has probability at
    most delta/20. *)
Definition lem_app_dueltest_correct_statement : Prop := forall P stop d u v,
  valid P -> sound stop -> prompt stop -> 0 < d < 1 -> u <> v -> P u v <> 1/2 ->
  (forall F, Pr P (DT stop F d u v) (wrong (better P u v)) <= d / 20) /\
  returns_with P (better P u v) (fun F => DT stop F d u v) (1 - d).

(** The bound on the expected number of duels, where [g] is a lower bound of the pair's gap: its
    constant part [dt_base] and its slope [dt_slope] in log(1/d).  Later bounds use these names. *)
Definition dt_base (g : R) : R := 16 / 7 / (g * g) * (ln (/ g) + 1).
Definition dt_slope (g : R) : R := 4 / 7 / (g * g).
Definition dt_time (d g : R) : R := dt_base g + dt_slope g * ln (/ d).
Definition C_dt : R := 16 / 7.

(** Of the paper: lem:app-dueltest-time.
    _Paper:_ E[tau] <= C (log(1/delta) + log(1/gamma) + 1)/gamma^2 for a pair of gap gamma.  _Here:_ for any lower bound
    [g] of gamma, which covers the lemma's second display as well. *)
Definition lem_app_dueltest_time_statement : Prop := forall P stop d g u v,
  valid P -> prompt stop -> 0 < d < 1 -> 0 < g <= 1/2 -> g <= Rabs (P u v - 1/2) ->
  at_most (fun F => ET P (DT stop F d u v)) (dt_time d g) /\
  dt_time d g <= C_dt / (g * g) * (ln (/ d) + ln (/ g) + 1).

(** ** BKT *)

(** The cost of a tournament's match beyond that of a test at the tournament's level, in units of the
    slope. *)
Definition bkt_extra : R := 153/100.
Definition C_bkt : R := 281/100.

(** Of the paper: lem:app-bkt-subset. *)
Definition lem_app_bkt_subset_correct_statement : Prop := forall (cv : conventions) P stop X w d,
  valid P -> sound stop -> 0 < d < 1 -> NoDup X -> In w X -> (forall j, In j X -> j <> w -> 1/2 < P w j) ->
  (* at every horizon of the tests, and whatever the gaps of the others *)
  (forall F, Pr P (BKT (DT stop F) X d) (wrong w) <= d) /\
  (* without a horizon, when no pair is tied *)
  (forall g, prompt stop -> 0 < g <= 1/2 -> (forall u v, In u X -> In v X -> u <> v -> g <= Rabs (P u v - 1/2)) ->
   returns_with P w (fun F => BKT (DT stop F) X d) (1 - d)).

(** Of the paper: lem:app-bkt-subset. *)
Definition lem_app_bkt_subset_cost_statement : Prop := forall (cv : conventions) P stop X d g,
  valid P -> prompt stop -> 0 < d < 1 -> NoDup X -> (1 <= length X)%nat ->
  0 < g <= 1/2 -> (forall u v, In u X -> In v X -> u <> v -> g <= Rabs (P u v - 1/2)) ->
  let bound := INR (length X - 1) * (dt_base g + dt_slope g * (ln (/ d) + bkt_extra)) in
  at_most (fun F => ET P (BKT (DT stop F) X d)) bound /\
  bound <= C_bkt * INR (length X - 1) / (g * g) * (ln (/ d) + ln (/ g) + 1).

(** ** Sibling blocks *)

(** [f 1 + ... + f k] *)
Fixpoint sumn (f : nat -> nat) (k : nat) : nat := match k with O => O | S k' => sumn f k' + f (S k') end.

(** Of the paper: lem:app-sibling-partition. *)
Definition lem_app_sibling_partition_statement : Prop := (
  forall (cv : conventions) N L b, balanced_tree N L -> b < N ->
  (* the blocks and the starting arm partition the arms *)
  (forall i, i < N -> i <> b -> exists h, (1 <= h <= L /\ In i (Tree.siblings N b h)) /\
                                          forall k, 1 <= k <= L -> In i (Tree.siblings N b k) -> k = h) /\
  (forall h i, 1 <= h <= L -> In i (Tree.siblings N b h) -> i < N /\ i <> b) /\
  (forall h, NoDup (Tree.siblings N b h)) /\
  (* sizes: m_h of arms, mbar_h of leaves *)
  sumn (fun h => length (Tree.siblings N b h)) L = N - 1 /\
  (forall h, 1 <= h <= L -> length (Tree.sibling_leaves L b h) = 2 ^ (h - 1)) /\
  sumn (fun h => length (Tree.sibling_leaves L b h)) L = 2 ^ L - 1 /\
  (N = 2 ^ L -> forall h, 1 <= h <= L -> length (Tree.siblings N b h) = 2 ^ (h - 1)))%nat.

(** ** TreeAscent *)

(** The cost of a pass's match beyond that of a test at the pass's level, in units of the slope. *)
Definition ta_extra : R := 431/100.
Definition ta_time (N : nat) (g eps : R) : R := INR (N - 1) * (dt_base g + dt_slope g * (ln (/ eps) + ta_extra)).
Definition C_TA : R := 15/4.

(** Every run of [m] answers [w] or runs out. *)
Definition returns {tag} (w : arm) (m : program tag (option arm)) : Prop :=
  leaves (fun o => match o with Some x => x = w | None => True end) m.

(** Of the paper: lem:app-plr-capture-preserve.
    _Paper:_ if BKT on the block of a* returns a*, and so does every merge with a* among its inputs from
    there on, then TreeAscent returns a*.  _Here:_ for one run, or for all runs of any programs in the
    tests' place.  These programs answer one of their two arms, which the paper assumes without saying
    so. *)
Definition lem_app_plr_capture_preserve_statement : Prop :=
  forall (cv : conventions) (test : R -> arm -> arm -> prog (option arm)) N L b w eps,
  balanced_tree N L -> (b < N)%nat -> (w < N)%nat -> (forall d u v, leaves (one_of u v) (test d u v)) ->
  (forall h, (1 <= h <= L)%nat -> In w (Tree.siblings N b h) ->
     returns w (BKT test (Tree.siblings N b h) (beta L b eps h))) ->
  (forall h c, (1 <= h <= L)%nat -> Tree.anc b h (leaf w) = true -> (c < N)%nat -> c <> w ->
     returns w (test (eta L eps h) w c) /\ returns w (test (eta L eps h) c w)) ->
  returns w (TreeAscent test N L b eps).

(** Of the paper: thm:app-plr-correctness, thm:plr-repair-main.
    _Paper:_ from every starting arm, TreeAscent returns a* with probability at least 1 - eps. *)
Definition thm_app_plr_correctness_statement : Prop := forall (cv : conventions) P stop N L w g b eps,
  assump_condorcet_gap P N w g -> balanced_tree N L -> (b < N)%nat -> 0 < eps < 1 -> sound stop -> prompt stop ->
  (forall F, Pr P (TreeAscent (DT stop F) N L b eps) (wrong w) <= eps) /\
  returns_with P w (fun F => TreeAscent (DT stop F) N L b eps) (1 - eps).

(** Of the paper: thm:app-plr-cost, thm:plr-repair-main.
    _Paper:_ E[tau] <= C N/Delta^2 (log(1/eps) + log(1/Delta) + 1), which bounds the weak regret of the pass, too. *)
Definition thm_app_plr_cost_statement : Prop := forall (cv : conventions) P stop N L w g b eps,
  assump_condorcet_gap P N w g -> balanced_tree N L -> (b < N)%nat -> 0 < eps < 1 -> prompt stop ->
  at_most (fun F => ET P (TreeAscent (DT stop F) N L b eps)) (ta_time N g eps) /\
  at_most (fun F => expected_regret P (weak_regretful w) (TreeAscent (DT stop F) N L b eps)) (ta_time N g eps) /\
  ta_time N g eps <= C_TA * INR (N - 1) / (g * g) * (ln (/ eps) + ln (/ g) + 1).

(** Of the paper: thm:plr-repair-main.
    _Paper:_ the same for the main text's version, with N = 2^L.  _Here:_ it is the same program as the
    appendix's, for every test and all levels, and so has the same properties. *)
Definition thm_plr_repair_main_statement : Prop := forall (cv : conventions) N L b,
  balanced_tree N L -> N = (2 ^ L)%nat -> (b < N)%nat ->
  (forall tag Lv (bl : bkt_levels Lv) (tl : tree_levels Lv) (test : Lv -> arm -> arm -> program tag (option arm)) eps,
     TreeAscent_main test N L b eps = TreeAscent test N L b eps) /\
  forall P stop w g eps, assump_condorcet_gap P N w g -> 0 < eps < 1 -> sound stop -> prompt stop ->
  returns_with P w (fun F => TreeAscent_main (DT stop F) N L b eps) (1 - eps) /\
  at_most (fun F => ET P (TreeAscent_main (DT stop F) N L b eps))
    (C_TA * INR (N - 1) / (g * g) * (ln (/ eps) + ln (/ g) + 1)).

(** ** ScreenAndReplace *)

(** Of the paper: lem:app-one-step-repair.
    _Paper:_ given the history, Pr(c+ <> a* ) <= 1{c <> a*}(rho + kappa) + 1{c = a*} kappa. *)
Definition lem_app_one_step_repair_statement : Prop := forall (cv : conventions) P stop N w g c rho kappa,
  assump_condorcet_gap P N w g -> sound stop -> (c < N)%nat -> 0 < rho < 1 -> 0 < kappa < 1 ->
  let bound := (if Nat.eqb c w then 0 else rho) + kappa in
  (forall F, Pr P (ScreenReplace (DT stop F) N c rho kappa) (wrong w) <= bound) /\
  (prompt stop -> returns_with P w (fun F => ScreenReplace (DT stop F) N c rho kappa) (1 - bound)).

(** If a test costs [base + slope ln(1/d)] at level [d], these are the costs of one screening and of one
    entrant of a replacement tournament. *)
Definition screen_cost (base slope d : R) : R := base + slope * ln (/ d).
Definition replace_cost (base slope d : R) : R := base + slope * (ln (/ d) + bkt_extra).
Definition C_epoch : R := 51/10.

(** Of the paper: lem:app-screen-epoch-regret.
    _Paper:_ given the history, E[W] <= C N/Delta^2 [1{c <> a*}(log(1/rho) + log(1/kappa) + log(1/Delta) + 1)
    + rho (log(1/kappa) + log(1/Delta) + 1)]. *)
Definition lem_app_screen_epoch_regret_statement : Prop := forall (cv : conventions) P stop N w g c rho kappa,
  assump_condorcet_gap P N w g -> sound stop -> prompt stop -> (c < N)%nat -> 0 < rho < 1 -> 0 < kappa < 1 ->
  let n := INR (N - 1) in
  let screening := screen_cost (dt_base g) (dt_slope g) in
  let replacing := replace_cost (dt_base g) (dt_slope g) in
  let bound := n * (if Nat.eqb c w then rho / 20 * replacing kappa else screening rho + replacing kappa) in
  at_most (fun F => expected_regret P (weak_regretful w) (ScreenReplace (DT stop F) N c rho kappa)) bound /\
  bound <= C_epoch * n / (g * g) *
    ((if Nat.eqb c w then 0 else ln (/ rho) + ln (/ kappa) + ln (/ g) + 1) + rho * (ln (/ kappa) + ln (/ g) + 1)).

(** ** Known gap

    The theorems hold for every rule that stops no earlier than the paper's radius with 1/16 subtracted
    under the root, then returns the arm that leads, and has the paper's budget up to rounding. *)
Definition b_early (n : nat) (d : R) : R := sqrt ((b_term n d - slack) / (2 * INR n)).
Record admissible (r : budgeted_rule) : Prop := {
  ad_first : forall g d n s, 0 < g <= 1/2 -> 0 < d < 1 -> (0 < n)%nat -> bstop r g d n s = Some true ->
    0 <= INR s / INR n - 1/2 /\ b_early n d - g <= INR s / INR n - 1/2;
  ad_second : forall g d n s, 0 < g <= 1/2 -> 0 < d < 1 -> (0 < n)%nat -> bstop r g d n s = Some false ->
    0 <= 1/2 - INR s / INR n /\ b_early n d - g <= 1/2 - INR s / INR n;
  ad_vote : forall n s, (0 < n)%nat ->
    (bvote r n s = true -> 1/2 <= INR s / INR n) /\ (bvote r n s = false -> INR s / INR n <= 1/2);
  ad_enough : forall g d, 0 < g <= 1/2 -> 0 < d < 1 ->
    (0 < bbudget r g d)%nat /\ budget_real g d - slack / (2 * (g * g)) <= INR (bbudget r g d);
  ad_most : forall g d, 0 < g <= 1/2 -> 0 < d < 1 -> INR (bbudget r g d) <= budget_real g d + 1 }.

Definition paper_budgeted_admissible_statement : Prop := admissible paper_budgeted.

(** A bound on the budget: its constant part and its slope in log(1/d). *)
Definition bd_base (g : R) : R := 19 / 20 / (g * g).
Definition bd_slope (g : R) : R := 1 / 2 / (g * g).
Definition C_budget : R := 14/15.

(** Of the paper: lem:budgeted-dueltest-main.
    _Paper:_ at most M duels; if |p_uv - 1/2| >= g, the better arm with probability at least 1 - delta.
    _Here:_ the same for every admissible rule, whose budget may be rounded up further. *)
Definition lem_budgeted_dueltest_main_statement : Prop := forall P g d u v,
  valid P -> 0 < g <= 1/2 -> 0 < d < 1 -> u <> v ->
  (* the paper's rule stays within its budget *)
  (maxT (BDT paper_budgeted g d u v) <= ceil (1 / (2 * (g * g)) * ln (4 / d)))%nat /\
  INR (ceil (1 / (2 * (g * g)) * ln (4 / d))) <= C_budget / (g * g) * (ln (/ d) + 1) /\
  forall r, admissible r ->
  (* every admissible one does within a slightly larger one, and always answers *)
  INR (maxT (BDT r g d u v)) <= bd_base g + bd_slope g * ln (/ d) /\
  Pr P (BDT r g d u v) ran_out = 0 /\
  (g <= Rabs (P u v - 1/2) ->
   Pr P (BDT r g d u v) (wrong (better P u v)) <= 8 / 15 * d /\ 1 - d <= Pr P (BDT r g d u v) (is_arm (better P u v))).

Definition C_budgeted_bkt : R := 43/25.
(** Of the paper: lem:app-budgeted-bkt. *)
Definition lem_app_budgeted_bkt_statement : Prop := forall (cv : conventions) P r g X d,
  valid P -> admissible r -> 0 < g <= 1/2 -> 0 < d < 1 -> NoDup X -> (1 <= length X)%nat ->
  INR (maxT (BKT (BDT r g) X d)) <= C_budgeted_bkt * INR (length X - 1) / (g * g) * (ln (/ d) + 1) /\
  forall w, In w X -> (forall j, In j X -> j <> w -> 1/2 + g <= P w j) -> 1 - d <= Pr P (BKT (BDT r g) X d) (is_arm w).

Definition C_budgeted_ta : R := 311/100.
(** Of the paper: lem:app-budgeted-tree-ascent. *)
Definition lem_app_budgeted_tree_ascent_statement : Prop := forall (cv : conventions) P r N L w g b eps,
  condorcet P N w g -> admissible r -> 0 < g <= 1/2 -> balanced_tree N L -> (b < N)%nat -> 0 < eps < 1 ->
  let bound := C_budgeted_ta * INR (N - 1) / (g * g) * (ln (/ eps) + 1) in
  1 - eps <= Pr P (TreeAscent (BDT r g) N L b eps) (is_arm w) /\
  INR (maxT (TreeAscent (BDT r g) N L b eps)) <= bound /\
  forall regretful, expected_regret P regretful (TreeAscent (BDT r g) N L b eps) <= bound.

Definition C_budgeted_epoch : R := 8/5.
(** Of the paper: lem:app-budgeted-screen-epoch. *)
Definition lem_app_budgeted_screen_epoch_statement : Prop := forall (cv : conventions) P r N w g c rho kappa,
  condorcet P N w g -> admissible r -> 0 < g <= 1/2 -> (c < N)%nat -> 0 < rho < 1 -> 0 < kappa < 1 ->
  1 - ((if Nat.eqb c w then 0 else rho) + kappa) <= Pr P (ScreenReplace (BDT r g) N c rho kappa) (is_arm w) /\
  expected_regret P (weak_regretful w) (ScreenReplace (BDT r g) N c rho kappa) <=
    C_budgeted_epoch * INR (N - 1) / (g * g) *
      ((if Nat.eqb c w then 0 else ln (/ rho) + ln (/ kappa) + 1) + rho * (ln (/ kappa) + 1)).

(** ** Identification

    [run F] has the horizon [F] for every test.  It identifies [w] at level [delta] in expected time at
    most [bound] if the following holds.  At every horizon the answer is wrong with probability at
    most [delta].  The expected number of duels is at most [bound], and so is its limit, the
    expected stopping time.  The first [T] rounds are the same for all horizons from [T] on.  As the
    horizon grows, the run stops with probability 1, and returns [w] with probability at least
    [1 - delta]. *)
Definition identifies (P : arm -> arm -> R) (w : arm) (run : nat -> prog (option arm)) (delta bound : R) : Prop :=
  (forall F, Pr P (run F) (wrong w) <= delta) /\
  at_most (fun F => ET P (run F)) bound /\
  (forall T F F', (T <= F)%nat -> (T <= F')%nat -> agree T (run F) (run F')) /\
  returns_with P w run (1 - delta).

Definition C_bai : R := 15/4.

(** Of the paper: cor:tlcr-bai.
    _Paper:_ Pr(answer = a* ) >= 1 - delta, E[tau] <= C N/Delta^2 (log(1/delta) + log(1/Delta) + 1). *)
Definition cor_tlcr_bai_statement : Prop := forall (cv : conventions) P stop N L w g b delta,
  assump_condorcet_gap P N w g -> sound stop -> prompt stop -> balanced_tree N L -> (b < N)%nat -> 0 < delta < 1 ->
  identifies P w (fun F => TG_ITE_BAI (DT stop F) N L b delta) delta
    (C_bai * INR (N - 1) / (g * g) * (ln (/ delta) + ln (/ g) + 1)).

(** ** Weak regret

    [run F k] is the first [k] epochs of an endless policy, with horizon [F] for every test.  The
    policy's expected regret is at most [bound] if the following holds.  The expected regret of
    [run F k] is at most [bound] for all [F] and [k].  The first [T] rounds are the same for all F
    >= T and k >= T, and are played, so that R_T is the regret of the first [T] rounds of [run T T].
    E[R_T] increases to E[R_oo], which is at most [bound].  R_T, and hence R_oo, is at least [n]
    with probability at most [bound / n], so R_oo is finite with probability 1.  Every epoch is
    completed with probability 1: the probability that [k] epochs run out tends to 0 as [F]
    grows. *)
Definition endless_regret_at_most (P : arm -> arm -> R) (regretful : arm -> arm -> bool)
    (run : nat -> nat -> prog (option arm)) (bound : R) : Prop :=
  (forall F k, expected_regret P regretful (run F k) <= bound) /\
  (forall T F k F' k', (T <= F)%nat -> (T <= k)%nat -> (T <= F')%nat -> (T <= k')%nat ->
     agree T (run F k) (run F' k')) /\
  (forall T F k, (T <= F)%nat -> (T <= k)%nat -> plays T (run F k)) /\
  (exists R_oo : R, is_lim_seq (fun T => regret_until P regretful T (run T T)) R_oo /\ R_oo <= bound /\
     forall T, regret_until P regretful T (run T T) <= R_oo) /\
  (forall T n, INR n * regret_at_least P regretful (first_rounds T (run T T)) n <= bound) /\
  (forall k, is_lim_seq (fun F => Pr P (run F k) ran_out) 0).

(** The constants C for the epochs alone, for the policy, and for the policy with a warm start at level
    delta. *)
Definition C_tail : R := 8.
Definition C_weak : R := 87/20.
Definition C_weak_delta : R := 21/5.

(** Of the paper: thm:app-online-weak.
    _Paper:_ E[R_oo] <= C N/Delta^2 (log(1/Delta) + 1), for the epochs from any incumbent and (below)
    for the policy.  R_oo is finite almost surely; the fifth part above gives this, by Markov's
    inequality. *)
Definition thm_app_online_weak_statement : Prop := forall (cv : conventions) P stop N w g c,
  assump_condorcet_gap P N w g -> sound stop -> prompt stop -> (c < N)%nat ->
  endless_regret_at_most P (weak_regretful w) (fun F k => online_tail (DT stop F) N k c)
    (C_tail * INR (N - 1) / (g * g) * (ln (/ g) + 1)).

(** Of the paper: cor:app-weak-warm-start, thm:online-weak-linear-main. *)
Definition cor_app_weak_warm_start_statement : Prop := forall (cv : conventions) P stop N L w g b,
  assump_condorcet_gap P N w g -> sound stop -> prompt stop -> balanced_tree N L -> (b < N)%nat ->
  endless_regret_at_most P (weak_regretful w) (fun F k => TG_ITE_Weak (DT stop F) N L (1/4) k b)
    (C_weak * INR (N - 1) / (g * g) * (ln (/ g) + 1)).

(** Of the paper: cor:app-weak-high-confidence-warm-start, cor:dual.
    _Paper:_ with a warm start at delta, c_0 is a delta-correct BAI output, and E[R_oo] <= C N/Delta^2
    (log(1/delta) + log(1/Delta) + 1).  _Here:_ the answer of the warm start is the output of BAI, and
    the run continues from it. *)
Definition cor_app_weak_high_confidence_warm_start_statement : Prop := forall (cv : conventions) P stop N L w g b delta,
  assump_condorcet_gap P N w g -> sound stop -> prompt stop -> balanced_tree N L -> (b < N)%nat -> 0 < delta < 1 ->
  identifies P w (fun F => TG_ITE_BAI (DT stop F) N L b delta) delta
    (C_bai * INR (N - 1) / (g * g) * (ln (/ delta) + ln (/ g) + 1)) /\
  endless_regret_at_most P (weak_regretful w) (fun F k => TG_ITE_Weak (DT stop F) N L delta k b)
    (C_weak_delta * INR (N - 1) / (g * g) * (ln (/ delta) + ln (/ g) + 1)).

(** ** Strong regret

    [run F] has the horizon [F] for every test.  The expected regret of its first [H] rounds is at most
    [bound].  These rounds are the same for all F >= H, and they are played. *)
Definition horizon_regret_at_most (P : arm -> arm -> R) (regretful : arm -> arm -> bool) (H : nat)
    (run : nat -> prog (option arm)) (bound : R) : Prop :=
  (forall F, regret_until P regretful H (run F) <= bound) /\
  (forall F F', (H <= F)%nat -> (H <= F')%nat -> agree H (run F) (run F')) /\
  (forall F, (H <= F)%nat -> plays H (run F)).

(** ceil(log2 log2 (T+2)).  The paper's S_T is larger by 2. *)
Definition phase_count (T : nat) : nat := Nat.log2_up (Nat.log2_up (T + 2)).
Definition phase_count_spec_statement : Prop := forall T, (2 <= T)%nat ->
  (1 <= phase_count T)%nat /\ (2 ^ (2 ^ (phase_count T - 1)) < T + 2 <= 2 ^ (2 ^ phase_count T))%nat.

(** [run F k] is the first [k] phases of an endless policy, with horizon [F] for every test.  The
    expected regret of the policy's first [T] rounds is at most [bound].  All runs of [phase_count T]
    phases, and so of the paper's S_T = phase_count T + 2, last for more than [T] rounds: K_T <=
    phase_count T <= S_T, and no further phase starts by round [T].  So the first [T] rounds are the
    same for all these [k], and for all F >= T.  Every phase is completed with probability 1: the
    probability that [k] phases run out tends to 0 as [F] grows. *)
Definition anytime_regret_at_most (P : arm -> arm -> R) (regretful : arm -> arm -> bool) (T : nat)
    (run : nat -> nat -> prog (option arm)) (bound : R) : Prop :=
  (forall F k, regret_until P regretful T (run F k) <= bound) /\
  (forall F k, (T < F)%nat -> (phase_count T <= k)%nat -> plays (S T) (run F k)) /\
  (forall F k F' k', (T <= F)%nat -> (T <= F')%nat -> (phase_count T <= k)%nat -> (phase_count T <= k')%nat ->
     agree T (run F k) (run F' k')) /\
  (forall k, is_lim_seq (fun F => Pr P (run F k) ran_out) 0).

Definition C_known : R := 3/2.
Definition C_anytime : R := 43/10.
Definition C'_anytime : R := 1.
Definition C_leading : R := 16/7.

(** Of the paper: thm:app-strong-known, thm:strong-known-main.
    _Paper:_ E[R_H] <= C N/Delta^2 (log(H+1) + log(1/Delta) + 1) + 1, for every H >= 1. *)
Definition thm_app_strong_known_statement : Prop := forall (cv : conventions) P stop N L w g b H,
  assump_condorcet_gap P N w g -> sound stop -> prompt stop -> balanced_tree N L -> (b < N)%nat -> (1 <= H)%nat ->
  horizon_regret_at_most P (strong_regretful w) H (fun F => TG_ITE_Strong_KnownHorizon (DT stop F) N L H b)
    (C_known * INR (N - 1) / (g * g) * (ln (INR H + 1) + ln (/ g) + 1) + 1).

(** Of the paper: thm:app-strong-anytime, thm:strong-anytime-main.
    _Paper:_ for every T >= 2, E[R_T] <= C N/Delta^2 (log(T+1) + (log log(T+2) + 1)(log(1/Delta) + 1))
    + C' (log log(T+2) + 1). *)
Definition thm_app_strong_anytime_statement : Prop := forall (cv : conventions) P stop N L w g b T,
  assump_condorcet_gap P N w g -> sound stop -> prompt stop -> balanced_tree N L -> (b < N)%nat -> (2 <= T)%nat ->
  anytime_regret_at_most P (strong_regretful w) T (fun F k => TG_ITE_Strong_Anytime (DT stop F) N L k b)
    (C_anytime * INR (N - 1) / (g * g) * (ln (INR T + 1) + (ln (ln (INR T + 2)) + 1) * (ln (/ g) + 1))
     + C'_anytime * (ln (ln (INR T + 2)) + 1)).

(** Of the paper: thm:app-strong-anytime, thm:strong-anytime-main.
    _Paper:_ for fixed Delta the leading term as T -> oo is O(N/Delta^2 log T).  _Here:_ E[R_T] is at
    most (C_leading + o(1)) (N-1)/g^2 ln T; the T from which this holds depends only on N, g and the
    precision. *)
Definition strong_anytime_leading_term_statement : Prop := forall N g eps, 0 < g <= 1/2 -> 0 < eps ->
  exists T_0, forall (cv : conventions) P stop L w b T F k,
  assump_condorcet_gap P N w g -> sound stop -> prompt stop -> balanced_tree N L -> (b < N)%nat -> (T_0 <= T)%nat ->
  regret_until P (strong_regretful w) T (TG_ITE_Strong_Anytime (DT stop F) N L k b)
    <= (C_leading * INR (N - 1) / (g * g) + eps) * ln (INR T).

(** ** The known-gap policies *)

(** [m] always answers, within [bound] duels, and the answer is [w] with probability at least [1 - delta]. *)
Definition identifies_within (P : arm -> arm -> R) (w : arm) (m : prog (option arm)) (delta bound : R) : Prop :=
  1 - delta <= Pr P m (is_arm w) /\ Pr P m ran_out = 0 /\ INR (maxT m) <= bound.

Definition C_budgeted_bai : R := 311/100.
Definition C_budgeted_weak : R := 99/20.
Definition C_budgeted_weak_delta : R := 7.
Definition C_budgeted_known : R := 53/50.
Definition C_budgeted_anytime : R := 16/5.
Definition C'_budgeted_anytime : R := 1.

(** _Paper:_ given g <= Delta*, BAI: Pr(answer = a* ) >= 1 - delta and tau <= C N/g^2 (log(1/delta) + 1) on every
    run; weak: E[R_oo] <= C N/g^2, and C N/g^2 (log(1/delta) + 1) with a warm start at delta; strong:
    C N/g^2 (log(H+1) + 1) + 1, and C N/g^2 (log(T+1) + log log(T+2) + 1) + C' (log log(T+2) + 1).
    The five parts, in the paper's order. *)
Section Parts.
Context {cv : conventions}.
Variables (P : arm -> arm -> R) (r : budgeted_rule) (N L : nat) (w : arm) (g : R) (b : arm).
Let n := INR (N - 1).

Definition known_gap_bai (delta : R) : Prop :=
  identifies_within P w (TG_ITE_BAI (BDT r g) N L b delta) delta (C_budgeted_bai * n / (g * g) * (ln (/ delta) + 1)).

Definition known_gap_weak : Prop :=
  endless_regret_at_most P (weak_regretful w) (fun _ k => TG_ITE_Weak (BDT r g) N L (1/4) k b)
    (C_budgeted_weak * n / (g * g)).

(** The answer of the warm start is the output of BAI, as in the first part. *)
Definition known_gap_weak_delta (delta : R) : Prop :=
  endless_regret_at_most P (weak_regretful w) (fun _ k => TG_ITE_Weak (BDT r g) N L delta k b)
    (C_budgeted_weak_delta * n / (g * g) * (ln (/ delta) + 1)).

Definition known_gap_strong_known (H : nat) : Prop :=
  horizon_regret_at_most P (strong_regretful w) H (fun _ => TG_ITE_Strong_KnownHorizon (BDT r g) N L H b)
    (C_budgeted_known * n / (g * g) * (ln (INR H + 1) + 1) + 1).

Definition known_gap_strong_anytime (T : nat) : Prop :=
  anytime_regret_at_most P (strong_regretful w) T (fun _ k => TG_ITE_Strong_Anytime (BDT r g) N L k b)
    (C_budgeted_anytime * n / (g * g) * (ln (INR T + 1) + ln (ln (INR T + 2)) + 1)
     + C'_budgeted_anytime * (ln (ln (INR T + 2)) + 1)).
End Parts.

(** Of the paper: thm:known-gap-extension-main. *)
Definition thm_known_gap_extension_main_statement : Prop := forall (cv : conventions) P r N L w g b,
  condorcet P N w g -> admissible r -> 0 < g <= 1/2 -> (2 <= N)%nat -> balanced_tree N L -> (b < N)%nat ->
  (forall delta, 0 < delta < 1 -> known_gap_bai P r N L w g b delta) /\
  known_gap_weak P r N L w g b /\
  (forall delta, 0 < delta < 1 -> known_gap_weak_delta P r N L w g b delta) /\
  (forall H, (1 <= H)%nat -> known_gap_strong_known P r N L w g b H) /\
  (forall T, (2 <= T)%nat -> known_gap_strong_anytime P r N L w g b T).
