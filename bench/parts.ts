import { codecs } from '../src/codecs/index.ts'
import { measureDoctor } from './doctor/measure.ts'
import { measureJournal } from './journal/measure.ts'
import { peers } from './peers.ts'
import type { Bar } from './plot.ts'
import { measureProxy } from './proxy/measure.ts'
import {
  reportCodecs,
  reportComparisons,
  reportHeal,
  reportProxy,
  reportPush,
  reportScale,
  reportStart,
} from './report.ts'
import type { TaskRunner } from './run-task.ts'
import * as targets from './targets.ts'
import type { CodecRow } from './tasks/codec.ts'
import type { Comparison } from './tasks/compare.ts'
import type { HealRow } from './tasks/heal.ts'
import type { PushRow } from './tasks/push.ts'
import type { ScaleRow } from './tasks/scale.ts'
import type { StartRow } from './tasks/start.ts'
import { measureViewer } from './viewer/measure.ts'

export interface Surroundings {
  runner: TaskRunner
  quick: boolean
  versions: Record<string, string>
  hasPeers(): Promise<boolean>
  show(text: string): void
}

export interface Measured {
  /** Of the plot. */
  title: string
  targets: targets.Target[]
  bars: Bar[]
  /** Figures without a target, for a comparison of two commits. */
  figures?: Bar[]
  /** The tables, where they are not what was shown. */
  text?: string
  data: unknown
  /** How much some work differs from itself, where the part measures it in turns. */
  noise?: number
  versions?: Record<string, string>
}

type Part = (surroundings: Surroundings) => Promise<Measured | undefined>

/** Every part of the bench, in the order in which they are run. Undefined is one that could not be measured. */
export const parts: Record<string, Part> = {
  async heal({ runner, show }) {
    const rows = await runner.measure<HealRow[]>('heal')
    if (!rows) return undefined
    show(reportHeal(rows))
    const asked = targets.healTargets(rows)
    return { ...measured('heal, as a multiple of JSON.parse of the same bytes', asked, rows), noise: noiseOf(rows) }
  },

  async codecs({ runner, show }) {
    const rows = await runner.measureAll<CodecRow>('codec', Object.keys(codecs))
    show(reportCodecs(rows))
    const bars = rows.flatMap(({ codec, healthy, broken, trimmed }) => [
      { label: `${codec}, healthy`, value: healthy },
      { label: `${codec}, broken`, value: broken },
      { label: `${codec}, trimmed to half`, value: trimmed },
    ])
    const figures = rows.flatMap(({ codec, broken, trimmed }) => [
      { label: `${codec}, broken`, value: broken },
      { label: `${codec}, trimmed to half`, value: trimmed },
    ])
    const title = 'every codec, as a multiple of JSON.parse of the same bytes'
    return { title, targets: targets.codecTargets(rows), bars, figures, data: rows, noise: noiseOf(rows) }
  },

  async scale({ runner, show, quick }) {
    const lengths = [1_000, 10_000, 100_000, ...(quick ? [] : [1_000_000])]
    const rows = await runner.measureAll<ScaleRow>('scale', lengths.map(String))
    show(reportScale(rows))
    const bars = rows.flatMap(({ messages, healthy, broken }) => [
      { label: `${messages.toLocaleString('en')} messages, healthy`, value: healthy.ratio },
      { label: `${messages.toLocaleString('en')} messages, broken`, value: broken.ratio },
    ])
    const title = 'heal as the history grows, as a multiple of JSON.parse'
    const noise = noiseOf(rows.flatMap(({ healthy, broken }) => [healthy, broken]))
    return { title, targets: targets.scaleTargets(rows), bars, figures: bars, data: rows, noise }
  },

  async push({ runner, show }) {
    const rows = await runner.measure<PushRow[]>('push')
    if (!rows) return undefined
    show(reportPush(rows))
    const title = "a healer's push behind a long history, of that behind a short one"
    const figures = targets.pushFigures(rows)
    return { ...measured(title, targets.pushTargets(rows), rows), figures, noise: noiseOf(rows) }
  },

  async peers({ runner, show, hasPeers, versions }) {
    const modules = ['antiphon.ts', ...((await hasPeers()) ? peers.map(name => `peers/${name}.ts`) : [])]
    const rows = await runner.measureAll<Comparison>('compare', modules)
    const known = rows.length > 1 ? versions : {}
    show(reportComparisons(rows, known))
    const bars = rows.flatMap(({ subject, speeds }) => {
      const last = speeds.findLast(({ history, ratio }) => history === 'healthy' && ratio !== undefined)
      return last?.ratio === undefined
        ? []
        : [{ label: `${subject}, ${last.messages.toLocaleString('en')} messages`, value: last.ratio }]
    })
    const title = 'one pass over a healthy history, as a multiple of JSON.parse'
    return { title, targets: [], bars, figures: bars, data: rows, versions: known }
  },

  async journal({ runner, show, hasPeers, versions }) {
    const data = await measureJournal(runner, await hasPeers(), show)
    const langgraph = versions['@langchain/langgraph']
    return {
      ...measured(
        'the journal, against bare SQL, an early turn or one fsync a commit',
        targets.journalTargets(data),
        data,
      ),
      figures: targets.journalFigures(data),
      noise: targets.journalNoise(data),
      versions: langgraph === undefined ? {} : { '@langchain/langgraph': langgraph },
    }
  },

  async proxy({ runner, show }) {
    const rows = await measureProxy(runner, show)
    const title = 'the proxy: requests a second, as a part of those of a plain pass-through'
    const noise = Math.max(...rows.map(({ control }) => Math.abs(control - 1)))
    return { ...measured(title, targets.proxyTargets(rows), rows), text: reportProxy(rows), noise }
  },

  async doctor({ runner, show }) {
    const rows = await measureDoctor(runner, show)
    const bars = rows.map(({ name, megabytes, parsed }) => ({
      label: `${name}, ${megabytes.toFixed(0)} MB`,
      value: parsed,
    }))
    return {
      title: 'a visit of the doctor, as a multiple of reading and parsing',
      targets: [],
      bars,
      figures: bars,
      data: rows,
    }
  },

  async start({ runner, show }) {
    const rows = await runner.measure<StartRow[]>('start')
    if (!rows) return undefined
    show(reportStart(rows))
    const title = 'starting, as a multiple of a Node that does nothing'
    return { ...measured(title, targets.startTargets(rows), rows), noise: noiseOf(rows) }
  },

  async viewer({ runner, show }) {
    const rows = await measureViewer(runner, show)
    return rows && measured('the first rows on the screen, of 100 messages', targets.viewerTargets(rows), rows)
  },
}

const noiseOf = (rows: readonly { noise: number }[]): number => Math.max(0, ...rows.map(({ noise }) => noise))

/** A part whose plot shows what is asked of it. */
const measured = (title: string, asked: targets.Target[], data: unknown): Measured => ({
  title,
  targets: asked,
  bars: asked.map(({ what, ratio, limit }) => ({ label: what.replace(/^\w+: /, ''), value: ratio, limit })),
  data,
})
