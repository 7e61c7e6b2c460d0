// Starts the client.
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { RouterProvider as AriaRouter } from 'react-aria-components'
import { createRoot } from 'react-dom/client'
import './styles/tokens.css'
import './styles/base.css'
import './styles/print.css'
import { queryClient } from './api/query'
import { keepShell } from './app/keepShell'
import { LiveRegion } from './app/LiveRegion'
import { Words } from './i18n/Words'
import { applyLook, look } from './lib/look'
import { router } from './routes'

keepShell()
applyLook(look.read())
const root = document.getElementById('root')
if (!root) throw new Error('invariant: index.html has #root')

createRoot(root).render(
  <StrictMode>
    <Words>
      <QueryClientProvider client={queryClient}>
        <AriaRouter navigate={(to) => router.navigate({ to })}>
          <RouterProvider router={router} />
          <LiveRegion />
        </AriaRouter>
      </QueryClientProvider>
    </Words>
  </StrictMode>,
)
