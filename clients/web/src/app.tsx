import { Chat } from './chat.js';
import { useRoute } from './route.js';
import { UserPicker } from './user_picker.js';

export function App() {
  const [route, navigate] = useRoute();
  if (route.user === null) return <UserPicker onPick={(user, role) => navigate({ ...route, user, role })} />;
  // Another user is another client: nothing of the first one's state may remain on screen.
  return <Chat key={`${route.user} ${route.role} ${route.adult}`} userId={route.user} route={route} navigate={navigate} />;
}
