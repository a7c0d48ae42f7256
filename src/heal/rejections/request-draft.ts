import { BodyDraft, copyOf, type MutableFields } from '../../core/request/body-draft.ts'
import type { Diagnostic } from '../../core/rules/check.ts'
import type { RequestOptions } from '../request/heal-request.ts'
import type { Rejection } from './rejection.ts'

/** A copy of a request that a rejection is answered with, and what was changed in it. */
export class RequestDraft extends BodyDraft {
  readonly rejection: Rejection
  /** Declared tools that have another name in the request: by that name, the name that the caller knows. */
  readonly renamedTools = new Map<string, string>()

  constructor(
    body: unknown,
    format: string,
    rejection: Rejection,
    { allow, resize }: Pick<RequestOptions, 'allow' | 'resize'> = {},
  ) {
    super(copyOf(body) as MutableFields, format, allow, resize)
    this.rejection = rejection
  }

  protected diagnose(at: string, message: string): Diagnostic {
    const { kind: rule, text } = this.rejection
    return { rule, severity: 'error', at, message, help: 'done after the rejection', refusal: text }
  }
}
