import { readRejection } from '../../heal/rejections/read-rejection.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import type { RequestOptions } from '../../heal/request/heal-request.ts'
import type { Endpoint } from '../fetch/endpoint.ts'
import { type HealedText, healRequestText, type PriorRejections } from '../fetch/heal-request-text.ts'

/** The answer of a provider that rejected a request. */
export interface RejectingAnswer {
  readonly status: number
  readonly text: string
}

/** Lessons from earlier requests, and the answer that rejected this one. */
export interface PriorAnswers extends Pick<PriorRejections, 'lessons' | 'namesStay'> {
  readonly answer?: RejectingAnswer | undefined
}

export interface HealedBodyText extends HealedText {
  /** What the answer rejected. */
  readonly rejection?: Rejection
}

/**
 * Repairs the text of a body, using the answer that rejected it if there was one. The answer is read here, since what it quotes is searched in
 * the text, and the text of a long body exists only in the worker. Undefined if there is no history, or the answer is not known.
 */
export function healBodyText(
  text: string,
  endpoint: Endpoint,
  options: RequestOptions,
  { answer, ...after }: PriorAnswers,
): HealedBodyText | undefined {
  if (!answer) return healRequestText(text, endpoint, options, after)
  const rejection = readRejection(answer.status, answer.text, { request: text })
  const healed = rejection && healRequestText(text, endpoint, options, { rejection, ...after })
  return healed && { ...healed, rejection }
}
