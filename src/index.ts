export type { CodecId } from './codecs/index.ts'
export type {
  AgUiMessage,
  AiSdkMessage,
  AiSdkUiMessage,
  AnthropicMessage,
  BedrockMessage,
  ChatMessage,
  FormatMessages,
  GeminiContent,
  InteractionStep,
  ResponsesItem,
} from './codecs/messages.ts'
export type { EditClass } from './core/choices.ts'
export type { DialectId } from './core/dialects/index.ts'
export type { Edit } from './core/edit.ts'
export { AntiphonError, type ErrorCode } from './core/errors.ts'
export type { ImageLimit, LargeImage, Resize, ResizedImage } from './core/media/resize.ts'
export type { RepairResult, Report } from './core/report.ts'
export type { Diagnostic } from './core/rules/check.ts'
export type { Repair } from './core/rules/repair.ts'
export { type ConvertOptions, convert } from './heal/convert/convert.ts'
export { check, heal, repair } from './heal/heal.ts'
export { createHealer, type Healer } from './heal/healer.ts'
export type { HealOptions } from './heal/options.ts'
export { healRequest, type RequestOptions, type RequestResult } from './heal/request/heal-request.ts'
export { cutPoints, type TrimOptions, type TrimReport, trim } from './heal/trim.ts'

import { detectFormat as detectPreferred } from './heal/detect.ts'

/** The format of a history, or undefined if it is unknown. */
export const detect = (history: unknown) => detectPreferred(history)
