import { follow } from "./parts.js";
import { listen } from "./send.js";

follow();
listen();
