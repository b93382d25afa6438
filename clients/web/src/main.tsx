import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import '@parley/shared/styles/base.css';
import '@parley/shared/styles/controls.css';
import '@parley/shared/styles/notices.css';
import './styles/layout.css';
import '@parley/shared/styles/dialog.css';
import '@parley/shared/styles/menu.css';
import '@parley/shared/styles/picker.css';
import './styles/people.css';
import './styles/inbox.css';
import './styles/thread.css';
import './styles/composer.css';
import './styles/message.css';
import './styles/marks.css';
import './styles/attachments.css';
import './styles/markdown.css';
import './styles/project.css';
import './styles/safety.css';
import './styles/unsent.css';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
