import type { EditClass } from '../choices.ts'
import type { Dialect, Facts } from '../dialect.ts'
import type { Resize } from '../media/resize.ts'
import { BodyDraft, type MutableFields } from '../request/body-draft.ts'
import { type RequestSurvey, surveyRequest } from '../request/survey.ts'
import type { Diagnostic } from './check.ts'

/** One kind of defect of a whole request: a limit of the provider that it exceeds. */
export interface LimitRule {
  readonly id: string
  readonly severity: 'error'
  /** It concerns nothing but the content of messages, so that it also holds where a library makes the request from them. */
  readonly ofMessages?: true
  /** Whether it applies to a dialect. */
  appliesTo(facts: Facts): boolean
  /** Repairs every defect, each by a change of the draft, which makes it only if it may. */
  repair(draft: LimitDraft, facts: Facts): void
}

/* @__NO_SIDE_EFFECTS__ */
export const defineLimit = (rule: Omit<LimitRule, 'severity'>): LimitRule => ({ severity: 'error', ...rule })

export interface DraftOptions {
  /** The field that holds the history, if it is not that of the format. */
  readonly root?: string
  readonly renamesTools?: boolean
  readonly resize?: Resize | undefined
}

/** A request that is repaired before it is sent. With nothing allowed it only finds defects, and the body may be the caller's. */
export class LimitDraft extends BodyDraft {
  readonly #dialect: Dialect
  readonly #root: string | undefined
  /** The answer gets the caller's names of tools back, so that tools may be renamed. */
  readonly renamesTools: boolean
  /** Declared tools that have another name now: by that name, the name that the caller knows. */
  readonly renamedTools = new Map<string, string>()
  #rule = ''
  #survey: RequestSurvey | undefined

  constructor(
    body: MutableFields,
    format: string,
    dialect: Dialect,
    allow: Iterable<EditClass>,
    more: DraftOptions = {},
  ) {
    super(body, format, allow, more.resize)
    this.#dialect = dialect
    this.#root = more.root
    this.renamesTools = more.renamesTools ?? false
  }

  override get root(): string {
    return this.#root ?? super.root
  }

  /** What the request holds now. */
  get survey(): RequestSurvey {
    this.#survey ??= surveyRequest(this.history, this.root)
    return this.#survey
  }

  run(rule: LimitRule, facts: Facts): void {
    this.#rule = rule.id
    rule.repair(this, facts)
  }

  override change(kind: EditClass, at: string, message: string, apply: () => void): boolean {
    const isDone = super.change(kind, at, message, apply)
    if (isDone) this.#survey = undefined
    return isDone
  }

  /** Reports a defect that is not repaired here. */
  leave(at: string, message: string, help: string): void {
    this.remaining.push({ ...this.diagnose(at, message), help })
  }

  protected diagnose(at: string, message: string): Diagnostic {
    const template = this.#dialect.refusals[this.#rule]
    return {
      rule: this.#rule,
      severity: 'error',
      at,
      message,
      help: 'done before the request is sent',
      ...(template === undefined ? {} : { refusal: filled(template, at) }),
    }
  }
}

/** An error message of the provider with the indexes of a place in it. */
function filled(template: string, at: string): string {
  const indexes = at.match(/\d+/g) ?? []
  return template.replaceAll('{n}', indexes[0] ?? '0').replaceAll('{k}', indexes[1] ?? '0')
}
