import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { ThreadFacts } from '../../protocol.ts'
import { addStyles } from '../add-styles.ts'
import { StateLabel } from '../catalogue/state-label.tsx'
import type { Transport } from '../transport.ts'
import { BranchTree } from './branch-tree.tsx'
import { InterruptForm } from './interrupt-form.tsx'
import styles from './live.css?inline'
import { OpenCallCard } from './open-call-card.tsx'
import { clockTime, elapsedSince } from './times.ts'
import { useActions } from './use-actions.ts'
import { useConnection } from './use-connection.ts'
import { useNow } from './use-now.ts'
import { useThreadFacts } from './use-thread-facts.ts'

addStyles(styles)

interface LivePanelProps {
  readonly transport: Transport
  readonly source: string
  readonly item: string
  /** The facts in the document. */
  readonly facts: ThreadFacts
  /** Called with every change. */
  onFacts?(facts: ThreadFacts): void
  /** Opens another thread of the journal. */
  onOpen(item: string): void
}

/** The state of a thread of a journal: its turn, its open calls, waiting input; with buttons to approve, deny and interrupt. */
export function LivePanel({ transport, source, item, facts: first, onFacts, onOpen }: LivePanelProps) {
  const { facts, words } = useThreadFacts(transport, source, item, first, onFacts)
  const now = useNow()
  const isThere = useConnection(transport)
  const { act, status, isBusy } = useActions(transport, source, item)
  const title = useId()
  const { turn, lease, open, agents, branches, parent, waiting, notes, ended } = facts
  const mayAct = transport.kind === 'server' && isThere
  return (
    <section class="live" aria-labelledby={title}>
      <header>
        <h2 id={title}>{turn ? `Turn ${turn.number}` : `${facts.turns} ${facts.turns === 1 ? 'turn' : 'turns'}`}</h2>
        <StateLabel state={facts.state} />
        {turn && <span class="live-time">for {elapsedSince(turn.startedAt, now)}</span>}
      </header>
      <dl>
        {turn?.interrupted !== undefined && <Fact name="interrupted" words={turn.interrupted || 'without a reason'} />}
        {lease && lease.until > now && (
          <Fact
            name="held by"
            words={lease.owner}
            more={`lease ${lease.epoch}, for another ${elapsedSince(now, lease.until)} unless it is renewed`}
          />
        )}
        {!turn && ended && (
          <Fact
            name="last turn"
            words={ended.status}
            isError={ended.status === 'failed'}
            {...(ended.error === undefined ? {} : { more: ended.error })}
          />
        )}
        <Fact name="last change" words={clockTime(facts.updatedAt, now)} />
        {parent && (
          <div>
            <dt>called by</dt>
            <dd>
              <button type="button" class="live-link" data-thread={parent.item} onClick={() => onOpen(parent.item)}>
                {parent.name}
              </button>
            </dd>
          </div>
        )}
      </dl>
      <p class="live-status" role="status">
        {status && <span class={status.isError ? 'error-text' : ''}>{status.line}</span>}
      </p>
      {words !== '' && (
        <>
          <h3>The answer so far</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled with the keyboard */}
          <section class="live-card live-answer" aria-label="The answer so far" tabIndex={0}>
            <p>{words}</p>
          </section>
        </>
      )}
      {open.length > 0 && (
        <Part title={open.length === 1 ? 'One open call' : `${open.length} open calls`}>
          {open.slice(0, shownMax).map(call => (
            <OpenCallCard key={call.id} call={call} now={now} {...(mayAct ? { act } : {})} isBusy={isBusy} />
          ))}
          <More left={open.length - shownMax} />
        </Part>
      )}
      {branches && (
        <>
          <h3>{branches.length} branches</h3>
          <BranchTree branches={branches} {...(mayAct ? { act } : {})} isBusy={isBusy} />
        </>
      )}
      {agents.length > 0 && (
        <Part title={agents.length === 1 ? 'One agent' : `${agents.length} agents`}>
          {agents.map(({ call, name, item, state }) => (
            <li key={call} class="live-card">
              <button
                type="button"
                class="live-link"
                data-thread={item}
                aria-label={`Open the thread of the agent ${name}`}
                onClick={() => onOpen(item)}
              >
                {name}
              </button>{' '}
              <StateLabel state={state} /> <code class="live-faint">{call}</code>
            </li>
          ))}
        </Part>
      )}
      {waiting.length > 0 && (
        <Part title={waiting.length === 1 ? 'One input waiting' : `${waiting.length} inputs waiting`}>
          {waiting.slice(0, shownMax).map(({ seq, at, when, text }) => (
            <li key={seq} class="live-card">
              <p class="live-words">{text}</p>
              <p class="live-faint">
                {whens.get(when) ?? when}, waiting for {elapsedSince(at, now)}
              </p>
            </li>
          ))}
          <More left={waiting.length - shownMax} />
        </Part>
      )}
      {notes.length > 0 && (
        <Part title={notes.length === 1 ? 'One result came too late' : `${notes.length} results came too late`}>
          {notes.slice(0, shownMax).map(({ call, at, text }) => (
            <li key={`${call} ${at}`} class="live-card">
              <p class="live-faint">
                <code>{call}</code>, {clockTime(at, now)}
              </p>
              <p class="live-words">{text}</p>
            </li>
          ))}
          <More left={notes.length - shownMax} />
        </Part>
      )}
      {mayAct && turn && turn.interrupted === undefined && (
        <InterruptForm turn={turn.number} act={act} isBusy={isBusy} />
      )}
    </section>
  )
}

/** Longer lists are cut. */
const shownMax = 50

const whens: ReadonlyMap<string, string> = new Map([
  ['queue', 'for the next turn'],
  ['steer', 'for the next step'],
  ['interrupt', 'interrupts the turn'],
])

interface FactProps {
  readonly name: string
  readonly words: string
  readonly more?: string
  readonly isError?: boolean
}

function Fact({ name, words, more, isError = false }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {isError ? <span class="live-error">{words}</span> : words}
        {more !== undefined && <span class="live-faint"> {more}</span>}
      </dd>
    </div>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <>
      <h3>{title}</h3>
      <ul>{children}</ul>
    </>
  )
}

const More = ({ left }: { readonly left: number }) => (left > 0 ? <li class="live-faint">and {left} more</li> : null)
