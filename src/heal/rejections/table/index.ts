import type { RejectionEntry } from '../rejection.ts'
import { fieldRejections } from './fields.ts'
import { generalRejections } from './general.ts'
import { historyRejections } from './history.ts'
import { lengthRejections } from './length.ts'
import { mediaRejections } from './media.ts'
import { notHealable } from './not-healable.ts'
import { outputRejections } from './output.ts'
import { overflowRejections } from './overflow.ts'
import { parameterRejections } from './parameters.ts'
import { reasoningRejections } from './reasoning.ts'
import { roleRejections } from './roles.ts'
import { toolRejections } from './tools.ts'
import { unsupportedMediaRejections } from './unsupported-media.ts'

/**
 * All known rejections. The first match counts. Letters match in either case, except in rejections of a history: those of some
 * providers differ in nothing else.
 */
export const rejectionTable: readonly RejectionEntry[] = [
  ...notHealable,
  ...reasoningRejections,
  ...mediaRejections,
  ...unsupportedMediaRejections,
  ...toolRejections,
  ...outputRejections,
  ...lengthRejections,
  ...overflowRejections,
  ...roleRejections,
  ...fieldRejections,
  ...parameterRejections,
  ...historyRejections,
  ...generalRejections,
].map(entry =>
  entry.kind === 'history'
    ? entry
    : { ...entry, words: new RegExp(entry.words, `${entry.words.flags.replace('i', '')}i`) },
)
