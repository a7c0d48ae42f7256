import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { DialectId } from '../../../../core/dialects/index.ts'
import type { DocumentService } from '../../document-service.ts'
import { ModeSwitch } from '../compare/mode-switch.tsx'
import { SaveHealed } from '../compare/save-healed.tsx'
import { SideBySide } from '../compare/side-by-side.tsx'
import { StepBar } from '../compare/step-bar.tsx'
import { DiagnosticDock } from '../margin/diagnostic-dock.tsx'
import { DiagnosticList } from '../margin/diagnostic-list.tsx'
import { DiagnosticTour } from '../margin/diagnostic-tour.tsx'
import { readingOrder } from '../margin/reading-order.ts'
import { rowsAt } from '../messages/heights.ts'
import { Legend } from '../messages/legend.tsx'
import { MessageList } from '../messages/message-list.tsx'
import type { ListControl, RevealOptions } from '../messages/use-list-control.ts'
import { useSize } from '../messages/use-size.ts'
import { Matrix } from '../providers/matrix.tsx'
import { ProviderSwitch } from '../providers/provider-switch.tsx'
import { useVerdicts } from '../providers/use-verdicts.ts'
import { VerdictLine } from '../providers/verdict-line.tsx'
import { SearchBar } from '../search/search-bar.tsx'
import { useSearch } from '../search/use-search.ts'
import { ShareDialogue } from '../share/share-dialogue.tsx'
import { type Address, modes, type ViewMode, writeAddress } from './address.ts'
import { DocumentFacts } from './document-facts.tsx'
import { sharedSource } from './own-documents.ts'
import { documentNames, type OpenDocument } from './use-document.ts'
import { useKeys } from './use-keys.ts'

interface Props {
  readonly service: DocumentService
  readonly present: OpenDocument
  readonly address: Address
  readonly onAddress: (change: Partial<Address>) => void
  readonly onDialect: (dialect: DialectId) => void
  /** Others can open this page, so that a link to it can be shared. */
  readonly isPublic: boolean
  /** Shown between the head and the messages: the live panel of a thread. */
  readonly children?: ComponentChildren
}

/** The minimum width for a margin next to the messages. */
const marginFrom = 860

/** A conversation: its facts, the tools, and the messages. */
export function DocumentView({ service, present, address, onAddress, onDialect, isPublic, children }: Props) {
  const { opened, document, isHead } = present
  const end = opened.steps.length
  const mode: ViewMode = end === 0 ? 'before' : address.mode
  const step = mode === 'after' ? end : mode === 'steps' ? Math.min(address.step, end) : 0
  const count = rowsAt(opened, step)
  const current = Math.min(address.row, Math.max(0, count - 1))
  const [diagnostic, setDiagnostic] = useState<number>()
  const [panel, setPanel] = useState<'matrix' | 'diagnostics' | 'share'>()
  const control = useRef<ListControl>(null)
  const field = useRef<HTMLInputElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const { width } = useSize(frame)
  const hasMargin = width >= marginFrom && mode !== 'side' && (isHead || opened.diagnostics.length > 0)
  const verdicts = useVerdicts(service, opened, document, address.model)

  const setRow = useCallback((row: number): void => onAddress({ row }), [onAddress])
  const goTo = useCallback(
    (row: number, options?: RevealOptions): void => {
      setRow(row)
      control.current?.reveal(row, options)
    },
    [setRow],
  )
  const search = useSearch(service, opened, step, current, goTo)
  const setStep = useCallback((step: number): void => onAddress({ step, mode: 'steps' }), [onAddress])
  const setMode = async (next: ViewMode): Promise<void> => {
    if (end === 0) return
    const to = next === 'after' ? end : next === 'steps' ? Math.min(address.step, end) : 0
    const visible = control.current?.sees(current) === false ? control.current.top().row : current
    onAddress({ mode: next, row: visible })
    const row = await service.follow(step, visible, to)
    if (row !== undefined) onAddress({ row })
  }

  // A diagnostic below the list changes the height of the list, so the list scrolls to the row after the layout.
  const options = useRef<(RevealOptions & { readonly row: number }) | undefined>(undefined)
  useLayoutEffect(() => {
    if (options.current) control.current?.reveal(options.current.row, options.current)
    options.current = undefined
  })
  const openDiagnostic = useCallback(
    (next: number | undefined, focus?: boolean): void => {
      setDiagnostic(next)
      const row = next === undefined ? undefined : opened.diagnostics[next]?.rows[0]
      if (row === undefined) return
      options.current = { row, focus: focus === true, ample: true }
      onAddress(mode === 'after' || mode === 'steps' ? { mode: 'before', row } : { row })
    },
    [opened, mode, onAddress],
  )
  const order = useMemo(() => readingOrder(opened.diagnostics), [opened])
  const firstDiagnostic = order.find(diagnostic => opened.diagnostics[diagnostic]?.severity === 'error') ?? order[0]
  const tour = (by: 1 | -1, focus?: boolean): void => {
    const { length } = order
    const at = diagnostic === undefined ? (by === 1 ? -1 : length) : order.indexOf(diagnostic)
    if (length > 0) openDiagnostic(order[(at + by + length) % length], focus)
  }

  // The first screen shows the first error, opened, unless the URL names a row or the user has scrolled.
  const isFirst = useRef(true)
  useEffect(() => {
    if (isHead || width === 0 || !isFirst.current) return
    isFirst.current = false
    const found = firstDiagnostic === undefined ? undefined : opened.diagnostics[firstDiagnostic]
    if (!found || mode !== 'before' || !control.current) return
    const { rows, severity } = found
    const isSeen = control.current.sees(rows[0] ?? 0)
    const mayGo = severity === 'error' && address.row === 0 && control.current.sees(0)
    if (isSeen && (hasMargin || severity === 'error')) setDiagnostic(firstDiagnostic)
    else if (!isSeen && mayGo) openDiagnostic(firstDiagnostic)
  }, [isHead, opened, mode, hasMargin, width, firstDiagnostic, address.row, openDiagnostic])
  useEffect(() => {
    if (diagnostic !== undefined && diagnostic >= opened.diagnostics.length) setDiagnostic(undefined)
  }, [opened, diagnostic])

  const move = (to: number): void => goTo(Math.max(0, Math.min(count - 1, to)), { focus: true })
  useKeys({
    j: () => move(nextFrom(1)),
    k: () => move(nextFrom(-1)),
    ArrowDown: () => move(nextFrom(1)),
    ArrowUp: () => move(nextFrom(-1)),
    PageDown: () => move(nextFrom(10)),
    PageUp: () => move(nextFrom(-10)),
    Home: () => move(0),
    End: () => move(count - 1),
    n: () => tour(1, true),
    p: () => tour(-1, true),
    '/': () => field.current?.focus(),
    '[': () => end > 0 && setStep(Math.max(0, step - 1)),
    ']': () => end > 0 && setStep(Math.min(end, step + 1)),
    ...Object.fromEntries(modes.map((mode, index) => [index + 1, () => setMode(mode)])),
  })
  function nextFrom(by: number): number {
    return control.current?.sees(current) === false ? control.current.top().row : current + by
  }

  /** The URL of this view, for a history that it contains. */
  const linkTo = (item: string): string => {
    const shown = { ...address, mode, step, row: current, source: sharedSource.id, item, dialect: opened.dialect }
    return `${location.href.replace(/#.*/s, '')}#${writeAddress(shown)}`
  }
  const edit = mode === 'steps' ? opened.steps[step - 1] : undefined
  const shared = {
    service,
    opened,
    title: document.name,
    words: search.words,
    control,
    current,
    currentDiagnostic: diagnostic,
    onCurrent: setRow,
  }
  return (
    <div class="document" ref={frame} {...documentNames(present)}>
      <p class="sr-only" role="status">
        {diagnostic !== undefined &&
          opened.diagnostics[diagnostic] &&
          `${opened.diagnostics[diagnostic].rule}: ${opened.diagnostics[diagnostic].message}`}
      </p>
      <header class="document-head">
        <DocumentFacts present={present} />
        <div class="document-provider">
          <ProviderSwitch dialects={opened.dialects} dialect={opened.dialect} onDialect={onDialect} />
          <VerdictLine
            verdicts={verdicts}
            count={opened.dialects.length}
            dialect={opened.dialect}
            isPast={mode === 'after'}
            onOpen={() => setPanel('matrix')}
          />
        </div>
      </header>
      {children}
      <div class="tools">
        {end > 0 && <ModeSwitch mode={mode} onMode={setMode} />}
        {!isHead && (
          <DiagnosticTour
            healedBy={mode === 'after' ? end : undefined}
            diagnostics={opened.diagnostics}
            place={diagnostic === undefined ? undefined : order.indexOf(diagnostic)}
            onGo={tour}
            onList={() => setPanel('diagnostics')}
          />
        )}
        <SearchBar search={search} field={field} />
        {end > 0 && document.kind !== 'stored' && <SaveHealed service={service} name={document.name} />}
        {!isHead && document.kind === 'history' && (
          <button type="button" class="button" onClick={() => setPanel('share')}>
            Copy or share …
          </button>
        )}
      </div>
      {mode === 'steps' && <StepBar opened={opened} step={step} onStep={setStep} />}
      {mode === 'side' ? (
        <SideBySide {...shared} onDiagnostic={openDiagnostic} />
      ) : (
        <MessageList
          {...shared}
          step={step}
          hasMargin={hasMargin}
          label="Messages"
          edit={edit}
          onDiagnostic={openDiagnostic}
          {...(isHead && 'total' in document && document.total !== undefined && { total: document.total })}
        />
      )}
      {!isHead && (
        <div class="legend-bar">
          <Legend />
        </div>
      )}
      {!hasMargin && (
        <DiagnosticDock
          diagnostics={opened.diagnostics}
          current={diagnostic}
          onGo={tour}
          onDiagnostic={setDiagnostic}
        />
      )}
      {panel === 'matrix' && (
        <Matrix
          verdicts={verdicts}
          count={opened.dialects.length}
          dialect={opened.dialect}
          onDialect={onDialect}
          onClose={() => setPanel(undefined)}
        />
      )}
      {panel === 'share' && document.kind === 'history' && (
        <ShareDialogue
          service={service}
          opened={opened}
          document={document}
          model={address.model}
          linkTo={isPublic ? linkTo : undefined}
          onClose={() => setPanel(undefined)}
        />
      )}
      {panel === 'diagnostics' && (
        <DiagnosticList
          diagnostics={opened.diagnostics}
          onDiagnostic={openDiagnostic}
          onClose={() => setPanel(undefined)}
        />
      )}
    </div>
  )
}
