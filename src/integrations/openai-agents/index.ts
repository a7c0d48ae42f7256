export { type HealInputFilterOptions, healInputFilter } from './heal-input-filter.ts'
export { type JournalSession, type JournalSessionOptions, journalSession } from './journal-session.ts'
