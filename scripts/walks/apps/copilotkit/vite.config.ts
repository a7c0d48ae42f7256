import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const target = `http://127.0.0.1:${process.env.PORT ?? 4000}`
export default defineConfig({ plugins: [react()], server: { proxy: { '/api': target } } })
