export type { CodecId } from './codecs/index.ts'
export { type ConvertOptions, convert } from './convert.ts'
export type { Diagnostic } from './core/check.ts'
export type { EditClass } from './core/choices.ts'
export type { DialectId } from './core/dialects/index.ts'
export type { Edit } from './core/edit.ts'
export type { Repair } from './core/repair.ts'
export { AntiphonError } from './errors.ts'
export { check, heal, repair } from './heal.ts'
export { createHealer, type Healer } from './healer.ts'
export type { HealOptions } from './options.ts'
export type { RepairResult, Report } from './report.ts'
export { healRequest, type RequestResult } from './request.ts'
export { cutPoints, type TrimOptions, trim } from './trim.ts'

import { detect as detectPreferred } from './detect.ts'

/** The shape a history is written in, or undefined if it is none that is known. */
export const detect = (history: unknown) => detectPreferred(history)
