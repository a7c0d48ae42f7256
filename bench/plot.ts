import { figure } from './table.ts'

/** A figure to be drawn, with what is asked of it. */
export interface Bar {
  label: string
  value: number
  limit?: number
}

const labelWidth = 400
const barWidth = 380
const rowHeight = 22
const width = labelWidth + barWidth + 70

/** Bars on one scale, logarithmic where they differ much, and a mark at each limit. Its colours follow the reader's scheme. */
export function plot(title: string, bars: readonly Bar[]): string {
  const values = bars.flatMap(({ value, limit }) => [value, ...(limit === undefined ? [] : [limit])])
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const isLogarithmic = most / least > 30
  const from = isLogarithmic ? least / 2 : 0
  const place = (value: number) =>
    isLogarithmic
      ? (barWidth * Math.log(value / from)) / Math.log((most * 1.1) / from)
      : (barWidth * value) / (most * 1.1)
  const rows = bars.map(({ label, value, limit }, index) => {
    const top = 40 + index * rowHeight
    const mark = limit === undefined ? '' : markAt(labelWidth + place(limit), top)
    return [
      `<text x="${labelWidth - 8}" y="${top + 13}" text-anchor="end">${escaped(label)}</text>`,
      `<rect class="bar" x="${labelWidth}" y="${top + 2}" width="${place(value).toFixed(1)}" height="14" rx="2"/>`,
      `${mark}<text class="value" x="${(labelWidth + place(value) + 6).toFixed(1)}" y="${top + 13}">${figure(value)}</text>`,
    ].join('')
  })
  const height = 40 + bars.length * rowHeight + 12
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style>`,
    `<text class="title" x="12" y="22">${escaped(title)}${isLogarithmic ? ' (logarithmic)' : ''}</text>`,
    ...rows,
    '</svg>\n',
  ].join('\n')
}

const markAt = (x: number, top: number): string =>
  `<line class="limit" x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${top - 1}" y2="${top + 19}"/>`

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const style = [
  'text{font:12px system-ui,sans-serif;fill:#24292f}.title{font-weight:600;font-size:13px}.value{fill:#57606a}',
  '.bar{fill:#2f6fb0}.limit{stroke:#cf222e;stroke-width:2}',
  '@media(prefers-color-scheme:dark){text{fill:#e6edf3}.value{fill:#9da7b1}.bar{fill:#58a6ff}.limit{stroke:#ff7b72}}',
].join('')
