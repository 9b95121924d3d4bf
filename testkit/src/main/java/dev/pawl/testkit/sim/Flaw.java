package dev.pawl.testkit.sim;

/**
 * A store broken on purpose, in one way each. A test suite that stays green on any of them proves nothing: they live here
 * so that the suites can be tested, and nowhere else.
 */
public enum Flaw {
    /** A commit of an epoch gone by is accepted. */
    SKIPS_FENCE,
    /** A bundle computed from something older is accepted. */
    SKIPS_VERSION,
    /** A fence of one shard opens the workflows of another. */
    SKIPS_SHARD,
    /** The bundles before a rejected one stay. */
    KEEPS_PREFIX,
    /** Messages are gone even if the commit that acknowledges them is rejected. */
    ACKNOWLEDGES_FIRST,
    /** The outcome of the compound primitive is what the kernel predicted, whatever is stored. */
    TRUSTS_PREDICTION,
    /** The semaphore is compared once per batch, so a message in its middle never closes anything. */
    COMPARES_ONCE_PER_BATCH,
    /** The threshold is reached but the closer's ledger does not say so. */
    LOSES_CLOSER_DIGIT,
    /** A closed gate can be hit again. */
    CLOSES_TWICE,
    /** A ledger may lose digits. */
    LETS_LEDGERS_SHRINK,
    /** A message may take the number of another in the same queue. */
    REUSES_NUMBERS,
    /** Only the first workflow of a batch is written. */
    WRITES_FIRST_WORKFLOW_ONLY,
    /** What one commit posts becomes visible in another order. */
    REVERSES_POSTS,
    /** The result of a closed workflow is not kept. */
    LOSES_RESULT,
    /** Payloads are kept as text. */
    MANGLES_PAYLOADS,
    /** A new owner gets the old owner's epoch. */
    REUSES_EPOCH,
    /** A lease that is alive is taken away. */
    STEALS_LIVE_LEASE,
    /** A lease never runs out. */
    NEVER_EXPIRES,
    /** A takeover looks like a clean hand-over. */
    FORGETS_UNCLEAN_END,
    /** Who was replaced can still prolong its lease. */
    RENEWS_STALE_OWNER,
    /** The epoch stays as it was when its own owner raises it. */
    RAISES_NOTHING,
    /** An older engine may claim what a newer one has written. */
    IGNORES_FORMAT,
    /** The inbox is read from the last acknowledged number on. */
    READS_INBOX_FROM_MARK,
    /** The count of entries charged to a message is not kept. */
    FORGETS_CHARGES,
    /** What is given up is gone. */
    FORGETS_GIVEN_UP,
    /** A second start replaces the first. */
    OVERWRITES_START,
    /** The acceptance of a signal is written, its message is not. */
    ACCEPTS_WITHOUT_MESSAGE,
    /** A signal with a known id is accepted again. */
    ACCEPTS_SIGNAL_TWICE,
    /** A commit that accepts a signal leaves no acceptance behind. */
    FORGETS_JOINED_ACCEPTANCE,
    /** A commit accepts a signal that was accepted before. */
    JOINS_KNOWN_SIGNAL,
    /** A commit accepts a signal that is there without an acceptance. */
    JOINS_UNSETTLED_SIGNAL,
    /** The acceptance of a signal stays although the commit it was part of is refused. */
    KEEPS_REFUSED_ACCEPTANCE,
    /** Ids that differ only in case are taken for the same. */
    FOLDS_SIGNAL_IDS,
    /** A new signal to a closed workflow is accepted. */
    SIGNALS_CLOSED_WORKFLOW,
    /** Timers are due a second early. */
    FIRES_EARLY,
    /** An acceptance is forgotten when it expires, whether the workflow is still open or not. */
    FORGETS_ACCEPTANCE,
    /** A signal that was applied without an acceptance is accepted once more. */
    MISSES_APPLIED_SIGNAL,
    /** An event that does not follow from the last one is appended all the same. */
    BREAKS_CHAIN,
    /** Commits leave no event behind. */
    FORGETS_EVENTS,
    /** An engine that has long fallen silent still counts. */
    COUNTS_SILENT_ENGINES,
    /** An engine that has departed still counts, until its time is up. */
    COUNTS_DEPARTED_ENGINES,
    /** Engines of all groups count together. */
    MIXES_GROUPS_OF_ENGINES,
    /** Workflows of the same instant are lost between two pages. */
    LOSES_TIES_BETWEEN_PAGES,
    /** A page begins so many rows from the beginning of the list, wherever those are by then. */
    COUNTS_ROWS_BETWEEN_PAGES,
    /** A sweep deletes workflows that have not ended. */
    SWEEPS_OPEN_WORKFLOWS,
    /** A sweep deletes workflows that still have messages. */
    SWEEPS_UNREAD_MESSAGES,
    /** A sweep deletes acceptances that somebody may still ask for. */
    SWEEPS_LIVE_ACCEPTANCES,
    /** What is known of effects is not kept. */
    FORGETS_EFFECTS,
    /** An effect that is written again looks as if it had just been declared. */
    REDATES_EFFECTS,
    /** The parts of an effect's key are put together with nothing to tell where one ends. */
    JOINS_EFFECT_KEYS,
    /** A sweep leaves effects behind, and another workflow of the same id inherits them. */
    LEAVES_EFFECTS_BEHIND,
    /** An attribute that is set again keeps its first value. */
    KEEPS_FIRST_ATTRIBUTE,
    /** An attribute that is removed stays. */
    KEEPS_REMOVED_ATTRIBUTES,
    /** Workflows are found by the name of an attribute, whatever its value is. */
    IGNORES_ATTRIBUTE_VALUES,
    /** A sweep leaves attributes behind, and another workflow of the same id inherits them. */
    LEAVES_ATTRIBUTES_BEHIND,
    /** A sweep knows one cut-off only, whatever a workflow's end was. */
    SWEEPS_WHATEVER_THE_STATUS,
    /** A sweep leaves behind what belongs to the workflows it deletes. */
    LEAVES_ORPHANS,
    /** A signal that was given up and has no acceptance is accepted once more. */
    MISSES_GIVEN_UP_SIGNAL,
    /** A case can be decided again. */
    DECIDES_TWICE,
    /** One slot more than a pool has is given out. */
    OVERFILLS_POOLS,
    /** A slot whose holder is gone is never free again. */
    KEEPS_SLOTS_FOR_EVER,
    /** A slot that has run out is prolonged all the same. */
    RENEWS_LOST_SLOTS,
    /** A slot of a rate is free again when whoever took it is done. */
    RELEASES_RATES,
    /** Pools of one name are one pool, whatever their namespace. */
    MIXES_POOLS,
    /** Slots are taken in one pool although there is none in the other. */
    TAKES_SLOTS_SINGLY,
    /** Nothing is kept for a process that got no slot. */
    LETS_PROCESSES_STARVE,
    /** What an open workflow has under way is listed as if nobody would ever know. */
    LISTS_WHAT_IS_UNDER_WAY,
    /** What somebody has found out about an effect is written down while its workflow may still find out itself. */
    NOTES_WHAT_IS_OPEN
}
