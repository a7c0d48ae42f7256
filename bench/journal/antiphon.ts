import type * as broker from '../../src/journal/index.ts'

const entry = new URL('../../dist/journal.js', import.meta.url)

/** The built package: what a user gets. */
export const loadJournal = async (): Promise<typeof broker> => (await import(entry.href)) as typeof broker
