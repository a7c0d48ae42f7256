import { dirname, join } from 'node:path'

/** The programs that tests start again and again. */
export const programs = {
  antiphon: 'src/apps/cli/main.ts',
  'kill-child': 'test/kill/child.ts',
  'langchain-child': 'test/integrations/langchain/child.ts',
  'store-kill-child': 'test/doctor/kill-child.ts',
  'visit-child': 'test/security/visit-child.ts',
  'full-disk-child': 'test/doctor/full-disk-child.ts',
  'proxy-process': 'test/integrations/proxy/proxy-process.ts',
  'chat-server': 'test/integrations/ai-sdk/chat-server.ts',
  'live-process': 'test/journal/live/process.ts',
  'viewer-work': 'test/apps/viewer/browser/work.ts',
} as const

export type ProgramName = keyof typeof programs

export const root = dirname(import.meta.dirname)

/** Which variable says where they stand as a few files, if anybody has put them together. */
export const placeKey = 'ANTIPHON_TEST_PROGRAMS'

/** The file to start a program from: a few for all of it, since most of a start goes into finding and reading hundreds. */
export function programFile(name: ProgramName): string {
  const place = process.env[placeKey]
  return place === undefined ? join(root, programs[name]) : join(place, `${name}.js`)
}
