import type { Rejection, RejectionKind } from '../../heal/rejections/rejection.ts'

/** Whether a rejection is about a setting of the request: how long the answer may be, a parameter, or the tools. */
export function isOfSettings({ kind, used = 0, asked = 0, limit = 0 }: Rejection): boolean {
  if (settings.has(kind)) return true
  // The history fits, but not together with the answer that was asked for.
  return kind === 'context-overflow' && asked > 0 && used - asked < limit
}

const settings: ReadonlySet<RejectionKind> = new Set([
  'parameter',
  'output-budget',
  'tool-schema',
  'tool-count',
  'tool-name',
])

/**
 * Whether a rejection is about content that a program stores, whichever format it sends it in. Fields, roles and types of parts are
 * made when the program writes its request, so that a change of its records would not answer such a rejection.
 */
export const isOfContent = ({ kind, repair = '' }: Rejection): boolean =>
  content.has(kind) && !/^(string-content|tool-string)/.test(repair)

const content: ReadonlySet<RejectionKind> = new Set([
  ...(['reasoning-signature', 'reasoning-encrypted', 'thought-signature', 'server-state', 'server-tool'] as const),
  ...(['image-pixels', 'image-bytes', 'image-count', 'image-unreadable', 'image-type', 'image-url'] as const),
  ...(['image-unsupported', 'document', 'request-bytes', 'context-overflow', 'tool-reference'] as const),
  ...(['empty-text', 'unicode'] as const),
])
