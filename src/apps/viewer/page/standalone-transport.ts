import type { Transport } from './transport.ts'

/** A page without a server: documents are dropped or pasted by the user. */
export const standaloneTransport = (): Transport => ({
  kind: 'standalone',
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
