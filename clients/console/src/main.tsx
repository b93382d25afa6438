import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import '@parley/shared/styles/base.css';
import '@parley/shared/styles/controls.css';
import '@parley/shared/styles/dialog.css';
import '@parley/shared/styles/menu.css';
import '@parley/shared/styles/picker.css';
import '@parley/shared/styles/notices.css';
import './styles/frame.css';
import './styles/lists.css';
import './styles/pages.css';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
