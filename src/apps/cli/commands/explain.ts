import { existsSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { codecs } from '../../../codecs/index.ts'
import { type Dialect, factsFor } from '../../../core/dialect.ts'
import { dialects } from '../../../core/dialects/index.ts'
import { AntiphonError } from '../../../core/errors.ts'
import { present } from '../../../core/invariant.ts'
import type { InvalidExample } from '../../../core/rules/example.ts'
import { rules as historyRules } from '../../../core/rules/index.ts'
import type { LimitRule } from '../../../core/rules/limit-rule.ts'
import { limitRules } from '../../../core/rules/limit-rules.ts'
import { pages } from '../../../core/rules/pages.ts'
import type { Rule as HistoryRule } from '../../../core/rules/rule.ts'
import { type ErrorCodePage, errorCodes, errorCodesPage } from '../explain/error-codes.ts'
import { explainRejection } from '../explain/explain-rejection.ts'
import { frameworkErrors } from '../explain/framework-errors.ts'
import { errorText } from '../input/rejection-input.ts'
import { nearest } from '../nearest.ts'
import { pagePath } from '../page-path.ts'
import { painter } from '../paint.ts'

type Rule = HistoryRule | LimitRule

const rules: readonly Rule[] = [...historyRules, ...limitRules]

export function addExplain(program: Command): void {
  program
    .command('explain')
    .summary('explain a rule, an error code or an error of a provider')
    .description(
      'Explain a rule or an error of a provider: what it means, why it matters, how it is repaired, and the error text of each provider. Or an error code of Antiphon: when it occurs, and what to do.',
    )
    .argument(
      '[rule, code or text...]',
      'a rule id, an error code of Antiphon, or an error of a provider (text, JSON or a log line), @FILE, or - for standard input; without one, all rules are listed',
    )
    .addOption(new Option('--json', 'print the rule or the error code as a JSON object, or all rules as a JSON list'))
    .addHelpText(
      'after',
      `
Examples:
  antiphon explain
  antiphon explain unanswered-call
  antiphon explain thread-busy
  antiphon explain "prompt is too long: 202128 tokens > 200000 maximum"
  antiphon explain - < error.json

Exit codes: 0; 2 unknown rule, error code or error.`,
    )
    .action(explain)
}

async function explain(words: readonly string[], { json }: { json?: true }): Promise<void> {
  const id = words.length === 0 ? undefined : words.join(' ')
  if (id !== undefined && isErrorText(id)) {
    const text = isFrameworkError(id) ? id : await errorText(id)
    process.stdout.write(`${await explainRejection(text, json === true, id)}\n`)
    return
  }
  const rule = rules.find(rule => rule.id === id)
  const own = id === undefined ? undefined : errorCodeOf(id, rule === undefined)
  const errorCode = own && { ...own, page: pagePath(errorCodesPage) }
  const details = rule && (await detailsOf(rule))
  const known = rule ? { ...summaryOf(rule), ...details, ...(errorCode && { errorCode }) } : errorCode
  const text = json
    ? [JSON.stringify(id === undefined ? rules.map(summaryOf) : known)]
    : id === undefined
      ? list()
      : [...(rule && details ? page(rule, details) : []), ...(errorCode ? codePage(errorCode, rule !== undefined) : [])]
  process.stdout.write(`${text.join('\n')}\n`)
}

const isFrameworkError = (id: string): boolean => frameworkErrors.some(({ words }) => words.test(id))

/** Anything but the id of a rule: a text, or the path of a file. A single word is never a file. */
const isErrorText = (id: string): boolean =>
  id === '-' || id.startsWith('@') || /[\s{]/.test(id) || isFrameworkError(id) || (/[./\\]/.test(id) && existsSync(id))

/** The error code that is meant, also as programs of other languages write it: `THREAD_BUSY`. */
function errorCodeOf(id: string, isNeeded: boolean): ErrorCodePage | undefined {
  const codes = errorCodes()
  const name = id.toLowerCase().replaceAll('_', '-')
  const found = codes.find(({ code }) => code === name)
  if (found || !isNeeded) return found
  const near = nearest(id, [...rules.map(rule => rule.id), ...codes.map(({ code }) => code)])
  const hint =
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : `\`antiphon explain\` lists the rules, ${pagePath(errorCodesPage)} the error codes`
  throw new AntiphonError('unknown-rule', `unknown rule or error code "${id}"`, { hint })
}

/** With `isAlsoRule` the page of the rule with the same name is printed before it. */
function codePage({ code, when, fix, page: more }: ErrorCodePage & { readonly page: string }, isAlsoRule: boolean) {
  const paint = painter(process.stdout)
  return [
    ...(isAlsoRule ? [''] : []),
    `${paint('error', `error code ${code}`)}: ${when}`,
    `   = ${paint('fix', 'fix')}: ${fix}`,
    `   = more: ${more}`,
  ]
}

const summaryOf = ({ id, severity }: Rule): object => ({ id, severity, ...pages[id] })

interface Details {
  readonly readers: readonly { readonly for: string; readonly refusal?: string }[]
  readonly example: InvalidExample | undefined
}

async function detailsOf(rule: Rule): Promise<Details> {
  const examples = await import('../examples.ts')
  const { invalid } = examples[rule.id as keyof typeof examples]
  const strict = Object.values<Dialect>(dialects).filter(dialect => insistsOn(dialect, rule))
  return {
    readers: strict.map(({ id, refusals: { [rule.id]: refusal } }) => ({
      for: id,
      ...(refusal === undefined ? {} : { refusal: refusal.replace(/\{(\w+)\}/g, '<$1>') }),
    })),
    example: invalid[0],
  }
}

/** For any model family and any format. */
function insistsOn(dialect: Dialect, rule: Rule): boolean {
  const variants = [factsFor(dialect), ...(dialect.models ?? []).map(({ facts }) => ({ ...dialect.facts, ...facts }))]
  return variants.some(facts => Object.values(codecs).some(({ format }) => rule.appliesTo(facts, format)))
}

function list(): string[] {
  const paint = painter(process.stdout)
  const width = Math.max(...rules.map(({ id }) => id.length))
  return rules.map(({ id }) => `${paint('strong', id.padEnd(width))}  ${pageOf(id).summary}`)
}

const pageOf = (id: string) => present(pages[id], 'every rule has a page')

function page({ id, severity }: Rule, { readers, example }: Details): string[] {
  const { summary, why, fix } = pageOf(id)
  const paint = painter(process.stdout)
  const width = Math.max(...readers.map(({ for: dialect }) => dialect.length))
  return [
    `${paint(severity, `${severity}[${id}]`)}: ${summary}`,
    `   = why: ${why}`,
    `   = ${paint('fix', 'fix')}: ${fix}`,
    '',
    'Applies to:',
    ...readers.map(({ for: dialect, refusal }) =>
      `  ${dialect.padEnd(width)}  ${refusal === undefined ? '' : `rejected as: ${refusal}`}`.trimEnd(),
    ),
    ...(example ? ['', ...drawExample(example)] : []),
  ]
}

function drawExample({ name, format, dialect, messages, after, options }: InvalidExample): string[] {
  const chosen = options === undefined ? '' : `, with ${JSON.stringify(options)}`
  const [before, healed] = [lines(messages), lines(after)]
  const stays = before.join() === healed.join()
  return [
    `Example: ${name} (${format}, for ${dialect}${chosen})`,
    ...before,
    ...(stays ? ['stays as it is'] : ['becomes', ...healed]),
  ]
}

const lines = (messages: unknown): string[] =>
  (Array.isArray(messages) ? messages : [messages]).map(message => `  ${JSON.stringify(message)}`)
