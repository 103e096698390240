import { control } from "./controls.js";
import { watch } from "./live.js";
import { question } from "./marks.js";
import { follow } from "./parts.js";
import { listen } from "./send.js";

follow();
listen();
control();
watch();
question();
