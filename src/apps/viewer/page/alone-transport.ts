import type { Transport } from './transport.ts'

/** Nobody is there but the user, who drops and pastes. */
export const aloneTransport = (): Transport => ({
  kind: 'alone',
  notices: () => () => {},
  head: async () => undefined,
  document: async () => {
    throw new Error('this page has nothing to open: drop a file on it, or paste JSON')
  },
  thread: () => () => {},
  act: async () => {
    throw new Error('this page is not connected to a journal')
  },
})
