import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import './styles/base.css';
import './styles/controls.css';
import './styles/layout.css';
import './styles/dialog.css';
import './styles/menu.css';
import './styles/picker.css';
import './styles/people.css';
import './styles/inbox.css';
import './styles/thread.css';
import './styles/composer.css';
import './styles/message.css';
import './styles/marks.css';
import './styles/markdown.css';
import './styles/project.css';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
