//! What every store has to do, and what each of them does besides.

#![expect(clippy::unwrap_used, reason = "this is all tests")]

mod changes;
mod conformance;
mod contention;
mod documents;
mod due;
mod files;
mod killed;
mod leases;
mod on_disk;
mod postgres;
mod sqlite;
mod support;
mod telling;

/// Runs every case over every kind of store.
macro_rules! over_every_store {
    ($($module:ident::$case:ident)*) => {
        over_every_store!(memory: $($module::$case)*);
        over_every_store!(sqlite: $($module::$case)*);
        over_every_store!(postgres: $($module::$case)*);
    };
    ($kind:ident: $($module:ident::$case:ident)*) => {
        mod $kind {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                crate::$module::$case(crate::support::$kind().await).await;
            })*
        }
    };
}

mod every_store {
    over_every_store! {
        conformance::what_was_created_is_loaded_as_it_was
        conformance::an_execution_is_created_once
        conformance::what_is_not_there_is_not_found
        conformance::a_batch_is_appended_only_where_the_journal_ends
        leases::a_lease_is_taken_over_only_when_its_node_is_no_longer_alive
        leases::a_node_that_lost_track_of_a_lease_takes_it_again
        leases::a_lease_is_renewed_only_by_its_holder
        leases::a_process_that_lost_its_lease_writes_nothing
        leases::a_lease_that_was_given_up_is_free
        leases::a_lease_is_not_given_up_over_messages
        changes::an_execution_is_created_paused_and_let_go_of_in_one_change
        changes::a_pause_is_written_as_one_change
        changes::a_pause_is_written_though_there_are_messages_and_the_lease_stays
        changes::of_a_change_that_is_refused_nothing_is_written
        leases::what_is_over_is_neither_held_nor_acquired_nor_posted_to
        leases::what_has_ended_is_claimed_to_be_rolled_back
        leases::of_two_rollbacks_one_begins
        conformance::messages_are_kept_in_order_and_each_key_once
        conformance::messages_are_left_together_or_not_at_all
        conformance::an_inbox_takes_no_more_than_it_may_hold
        conformance::the_last_checkpoint_counts
        conformance::a_checkpoint_of_batches_that_are_not_there_is_refused
        conformance::executions_are_listed_newest_first
        conformance::every_state_is_one_to_filter_by_and_to_page_through
        conformance::deleting_removes_everything
        conformance::a_running_execution_is_not_deleted
        conformance::what_has_changed_meanwhile_is_not_deleted
        conformance::decisions_are_remembered_by_session_and_subject
        conformance::pruning_keeps_the_newest_that_are_over
        conformance::pruning_keeps_what_ended_last
        conformance::what_nobody_goes_on_with_is_stale
        due::what_is_due_is_found_in_the_order_of_its_time
        due::what_a_live_process_holds_is_not_due_for_others
        due::what_is_deleted_is_no_longer_due
        due::a_sleeper_is_stale_only_when_it_was_not_woken
        documents::a_document_is_kept_replaced_and_removed
        documents::no_change_of_two_processes_is_lost
        documents::the_documents_that_changed_last_are_kept
        documents::a_full_collection_that_forgets_nothing_refuses_another_document
        documents::documents_are_listed_in_the_order_of_their_keys
        contention::many_executions_are_appended_to_in_order
        contention::what_is_asked_for_later_sees_what_was_asked_for_before
        contention::what_nobody_waits_for_is_written
        contention::one_that_is_refused_does_not_fail_the_others
        contention::of_two_who_acquire_one_gets_it
        contention::no_message_is_lost_between_posting_and_giving_up
        telling::what_others_may_wait_for_is_told_at_once
    }
}
