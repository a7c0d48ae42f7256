import { asRecord, isRecord } from '../../core/conversation.ts'
import { tryParseJson } from '../../core/json/try-parse-json.ts'

/** When a record was written, in milliseconds, if it says so by one of the names that programs use. */
export function recordTime(text: string | undefined): number | undefined {
  const value = text === undefined ? undefined : tryParseJson(text)
  return isRecord(value)
    ? (timeIn(value) ?? timeIn(asRecord(value.message)) ?? timeIn(asRecord(value.state)))
    : undefined
}

function timeIn(value: Readonly<Record<string, unknown>>): number | undefined {
  const inner = asRecord(value.time)
  const named = [...names.map(name => value[name]), inner.created, inner.end, inner.start]
  return named.map(milliseconds).find(time => time !== undefined)
}

const names = ['timestamp', 'time', 'ts', 'created_at', 'createdAt', 'time_created', 'created', 'date']

function milliseconds(value: unknown): number | undefined {
  const time = typeof value === 'number' ? (value < secondsMax ? value * 1000 : value) : isoTime(value)
  return time !== undefined && time > earliest && time < latest ? Math.round(time) : undefined
}

const isoTime = (value: unknown): number | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]/.test(value) ? Date.parse(value) : undefined

/** Seconds are smaller than this until the year 5138, and milliseconds larger since 1973. */
const secondsMax = 1e11
const earliest = Date.UTC(2020)
const latest = Date.UTC(2100)
