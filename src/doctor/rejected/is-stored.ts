import type { Rejection, RejectionKind } from '../../heal/rejections/rejection.ts'

/** Whether a rejection is about a setting of the request: the length of the answer, a parameter, or the tools. */
export function isOfSettings({ kind, used = 0, asked = 0, limit = 0 }: Rejection): boolean {
  if (settings.has(kind)) return true
  // The history fits, but not together with the requested answer length.
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
 * Whether a rejection is about stored content, in any request format. Fields, roles and part types are created when the
 * program builds its request, so changing the records would not fix those.
 */
export const isOfContent = ({ kind, repair = '' }: Rejection): boolean =>
  content.has(kind) && !/^(string-content|tool-string)/.test(repair)

const content: ReadonlySet<RejectionKind> = new Set([
  ...(['reasoning-signature', 'reasoning-encrypted', 'thought-signature', 'server-state', 'server-tool'] as const),
  ...(['image-pixels', 'image-bytes', 'image-count', 'image-unreadable', 'image-type', 'image-url'] as const),
  ...(['image-unsupported', 'document', 'request-bytes', 'context-overflow', 'tool-reference'] as const),
  ...(['empty-text', 'unicode'] as const),
])
