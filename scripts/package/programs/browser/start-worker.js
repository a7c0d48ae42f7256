import { say } from '/work.js'

const worker = new Worker('/worker.js', { type: 'module' })
worker.onmessage = ({ data }) => say(data)
worker.onerror = event => say(`error: ${event.message}`)
